import type { FastifyRequest } from 'fastify';
import { type Static, type TInteger, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import type { ServiceApp } from '../../http/input/request-input.ts';
import type { Actor } from '../../identity/actor.ts';
import { READ } from '../record-access.ts';
import type { SearchDeadline, SearchShares } from './search-shares.ts';

/** Arguments of a search with a limit of its time. */
export type TimedInput = TObject<{ timeout: TInteger }>;

/** A search with its arguments; `deadline` ends everything that the request started. */
export interface SearchCall<Params extends TProperties, Input extends TimedInput> {
  readonly actor: Actor;
  readonly params: Static<TObject<Params>>;
  readonly input: Static<Input> & { readonly deadline: SearchDeadline };
}

export interface SearchEndpoint<Params extends TProperties, Input extends TimedInput> {
  /** Version of the interface, whose clients expect their own wording of refusals. */
  readonly version: 1 | 2;
  /** After `/api/v<version>/search/`. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly input: Input;
  readonly reply: TSchema;
  readonly run: (call: SearchCall<Params, Input>) => Promise<unknown>;
}

/** Registers a search twice: as `GET` with query arguments and as `POST` with a body. */
export function registerSearch<Params extends TProperties, Input extends TimedInput>(
  app: ServiceApp,
  shares: SearchShares,
  endpoint: SearchEndpoint<Params, Input>,
): void {
  const { version, summary, input, reply, run } = endpoint;
  const path = `/api/v${version}/search/${endpoint.path}`;
  const schema = { summary, params: Type.Object(endpoint.params), response: { 200: reply } };
  const errorHandler = (error: unknown, request: FastifyRequest) => {
    throw worded(version, error, request);
  };
  // TypeScript does not follow from schemas that are parameters to what they read.
  const handler = (part: 'query' | 'body') => (request: FastifyRequest) => {
    const call = { actor: request.actor, params: request.params, input: request[part] } as SearchCall<Params, Input>;
    const { actor, params } = call;
    return shares.run(actor.username, call.input.timeout, (deadline) =>
      run({ actor, params, input: { ...call.input, deadline } }),
    );
  };
  app.get(path, { access: READ, errorHandler, schema: { ...schema, querystring: input } }, handler('query'));
  app.post(
    path,
    { access: READ, body: 'lenient_json', errorHandler, schema: { ...schema, body: input } },
    handler('body'),
  );
}

/** Errors in how the request itself is made, which clients know by their plain text. */
const PLAIN_TEXTS = new Set([
  'query_missing',
  'unknown_field',
  'field_not_numeric',
  'histogram_field_unsupported',
  'invalid_body',
  'fields_missing',
]);

/**
 * Returns the refusal of a search in the words of its version.
 * Version 1: `SearchException: why`, version 2: `SearchException on query <query>: why`. Code and position stay. A single
 * index that does not exist keeps its plain text.
 */
function worded(version: 1 | 2, error: unknown, { body, query }: FastifyRequest): unknown {
  if (!isTriadError(error) || error.kind !== 'invalid_input' || PLAIN_TEXTS.has(error.code)) return error;
  if (error.code === 'unknown_index' && error.at === 'index') return error;
  const given = [body, query].find(isObject)?.query ?? '';
  const message = `SearchException${version === 1 ? '' : ` on query ${given}`}: ${error.message}`;
  return new InvalidInput(error.code, message, { cause: error, at: error.at });
}
