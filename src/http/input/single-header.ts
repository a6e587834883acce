import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../../errors/errors.ts';

/**
 * A header that has to be there once. Sent twice, one reader takes the first, another the last: what a proxy has checked might not be
 * what counts here.
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

/**
 * A header with a name in it. HTTP says nothing of letters beyond ASCII: most programs send UTF-8, those written in Python ISO 8859-1, as which
 * Node hands it over. What is good UTF-8 is taken for that.
 */
export function headerText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/**
 * A header with a credential. Repetitions are joined to one text, which is not a credential, so that whoever reads it refuses and audits it. Of
 * several `Authorization` Node hands over the first, where another reader takes the last.
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

/** For guards, which run before a schema reads the request: an argument of the query string that was sent once. */
export function unreadArgument({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** For guards: a part of the path. */
export function unreadParameter({ params }: FastifyRequest, name: string): string | undefined {
  return (params as Readonly<Record<string, string | undefined>>)[name];
}
