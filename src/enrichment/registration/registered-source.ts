import { type Static, Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { InputProblem, inputReader } from '../../input/input-reader.ts';

const MAX_LENGTH = 2048;
/** `Name <address>` or an address alone. */
const MAINTAINER = /^(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/;

const optionalText = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: MAX_LENGTH }), Type.Null()], { description }));

/** A source as a program registers it, with the names of `enrichment.external_sources`. */
export const SourceBody = Type.Object({
  name: Type.String({
    description: 'Name of the source, without blanks, commas, slashes and vertical bars.',
    pattern: '^[^/,|\\s]{1,100}$',
    examples: ['my-plugin'],
  }),
  url: Type.String({
    description: 'Address that its paths `/types/`, `/lookup/` ... follow.',
    maxLength: MAX_LENGTH,
    examples: ['http://127.0.0.1:8000'],
  }),
  classification: Type.Optional(
    Type.String({ description: 'Classification that is required to use the source. Default: unrestricted.' }),
  ),
  max_classification: Type.Optional(
    Type.String({ description: 'Highest classification of the values that it may receive. Default: unrestricted.' }),
  ),
  obo_target: optionalText('Target that tokens of callers are exchanged for.'),
  maintainer: optionalText('Who maintains it, `Name <address>`.'),
  datahub_link: optionalText('Address of the description of its data.'),
  documentation_link: optionalText('Address of its documentation.'),
  production: Type.Boolean({ description: 'Its answers are known to follow the protocol.', default: false }),
  include_default: Type.Boolean({ description: 'Is queried if the request names no sources.', default: true }),
  default_timeout: Type.Number({
    description: 'Seconds after which a call times out.',
    default: 30,
    minimum: 0.1,
    maximum: 3600,
  }),
});

/** A checked registration, as it is stored. Classifications are upper-case. */
export type RegisteredSource = Static<typeof SourceBody>;

const readBody = inputReader(SourceBody);

/**
 * Reads a registration. Keys that it does not know are dropped.
 * @throws InvalidInput `no_data`, `invalid_source` in the words of the public system
 */
export function readRegistration(body: unknown, engine: ClassificationEngine): RegisteredSource {
  const isEmpty = Array.isArray(body) ? body.length === 0 : isObject(body) && Object.keys(body).length === 0;
  if (isEmpty || body === null || body === undefined) throw new InvalidInput('no_data', 'No data provided');
  const read = readBody(body);
  if (read instanceof InputProblem) throw invalidSource(read.at);
  // An explicit null would be a source without a limit.
  for (const name of ['classification', 'max_classification'] as const) {
    if (isObject(body) && body[name] === null) throw invalidSource(name);
  }
  const source = {
    ...read,
    ...classificationOf(read, 'classification', engine),
    ...classificationOf(read, 'max_classification', engine),
  };
  if (source.maintainer && !MAINTAINER.test(source.maintainer)) throw invalidSource('maintainer');
  for (const name of ['datahub_link', 'documentation_link'] as const) {
    const link = source[name];
    if (link && !/^https?:$/.test(URL.parse(link)?.protocol ?? '')) throw invalidSource(name);
  }
  return source;
}

function classificationOf(
  read: RegisteredSource,
  name: 'classification' | 'max_classification',
  engine: ClassificationEngine,
): Partial<RegisteredSource> {
  const text = read[name]?.toUpperCase();
  if (text === undefined) return {};
  try {
    engine.normalise(text);
  } catch (cause) {
    throw invalidSource(name, cause);
  }
  return { [name]: text };
}

function invalidSource(at: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_source', 'Request data could not be converted to an ExternalSource object', {
    at,
    cause,
  });
}
