import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../errors/errors.ts';

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
 * The header `Authorization`. Of several Node hands over the first, where another reader takes the last. Here they are one text, like repetitions
 * of any other header: that is no credential, and whoever reads credentials refuses it.
 */
export function authorizationHeader({ headers, raw }: FastifyRequest): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const sent = valuesOf(raw.rawHeaders, 'authorization');
  return sent.length > 1 ? sent.join(', ') : authorization;
}

/** @param headers names and values in turn */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_value, index) => {
    const sent = index % 2 === 1 ? headers[index - 1] : undefined;
    return sent?.length === name.length && sent.toLowerCase() === name;
  });
}
