import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../../errors/errors.ts';

/**
 * Returns a header that may be sent once only, because two readers could use different values.
 * @param name in lower case
 * @throws InvalidInput `repeated_header`
 */
export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  // Repetitions are joined by a comma, which is also a character of values.
  if (value === undefined) return undefined;
  if (typeof value === 'string' && !value.includes(',')) return headerText(value);
  if (valuesOf(request.raw.rawHeaders, name).length > 1) {
    throw new InvalidInput('repeated_header', `The header ${name} was sent more than once.`, { at: name });
  }
  return headerText(typeof value === 'string' ? value : (value[0] ?? ''));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a header that Node read as ISO 8859-1, the encoding of Python; valid UTF-8 counts as such. */
function headerText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/**
 * Returns a header with a credential. Repetitions are joined, so that they are refused and audited;
 * Node itself would return the first of several `Authorization`.
 * @param name in lower case
 */
export function credentialHeader({ headers, raw }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  const sent = name === 'authorization' ? valuesOf(raw.rawHeaders, name) : [value].flat();
  return headerText(sent.length > 1 ? sent.join(', ') : String(value));
}

/** @param headers names and values in turn */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_value, index) => {
    const sent = index % 2 === 1 ? headers[index - 1] : undefined;
    return sent?.length === name.length && sent.toLowerCase() === name;
  });
}

/** Returns an argument of the query that was sent once, for guards, which run before validation. */
export function unreadArgument({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a parameter of the path, for guards. */
export function unreadParameter({ params }: FastifyRequest, name: string): string | undefined {
  return (params as Readonly<Record<string, string | undefined>>)[name];
}
