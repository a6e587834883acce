import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchemaCompiler,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import {
  InputProblem,
  type InputReader,
  type InputSchema,
  inputReader,
  READING,
  shownValue,
  wordsOf,
} from '../../input/input-reader.ts';

/** Types `params`, `query` and `body` of handlers by the schemas of their route, after conversion. */
interface InputTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** The server of a service as its routes see it. */
export type ServiceApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  InputTypes
>;

/** Returns the refusal of a problem in the words of a service; undefined for the usual words. */
export type InputWording = (problem: InputProblem, part: string) => Error | undefined;

/** Reads `params`, `query` and `body` by schemas (`inputReader`) that the first request compiles. */
export function inputCompiler(wording: InputWording = () => undefined): FastifySchemaCompiler<InputSchema> {
  return ({ schema, httpPart = '' }) => {
    let read: InputReader<unknown> | undefined;
    return (value: unknown) => {
      read ??= httpPart === 'querystring' ? queryReader(schema) : inputReader(schema);
      const result = read(value);
      if (!(result instanceof InputProblem)) return { value: result };
      return { error: result.refusal ?? wording(result, httpPart) ?? usualRefusal(result) };
    };
  };
}

/** Uses the first of repeated arguments that are not lists, as the public systems do. */
function queryReader(schema: InputSchema): InputReader<unknown> {
  const read = inputReader(schema);
  const takesFirst = ([name, value]: readonly [string, unknown]) => {
    const member = schema.properties?.[name];
    return Array.isArray(value) && member?.type !== 'array' && member?.[READING]?.repeated === undefined;
  };
  return (query) => {
    const sent = Object.entries(query as object);
    if (!sent.some(takesFirst)) return read(query);
    return read(Object.fromEntries(sent.map((one) => (takesFirst(one) ? [one[0], one[1][0]] : one))));
  };
}

/** Returns the refusal of a problem in its own words, else in the usual ones. */
export function refusalOf(problem: InputProblem): Error {
  return problem.refusal ?? usualRefusal(problem);
}

function usualRefusal(problem: InputProblem): InvalidInput {
  const { at, kind, schema, value } = problem;
  if (at === '') return new InvalidInput('invalid_body', 'Invalid data format');
  if (kind === 'unknown') return new InvalidInput('unknown_argument', `There is no argument ${at} here.`, { at });
  const allowed = wordsOf(schema);
  if (kind === 'missing') {
    return new InvalidInput('argument_missing', `The argument ${at} is missing. It must be ${allowed}.`, { at });
  }
  return new InvalidInput('invalid_argument', `The argument ${at} must be ${allowed}, not ${shownValue(value)}.`, {
    at,
  });
}
