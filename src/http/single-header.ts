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
  if (value === undefined || (typeof value === 'string' && !value.includes(','))) return value;
  if (timesSent(request.raw.rawHeaders, name) > 1) {
    throw new InvalidInput('repeated_header', `The header ${name} was sent more than once.`, { at: name });
  }
  return typeof value === 'string' ? value : value[0];
}

/** @param headers names and values in turn */
function timesSent(headers: readonly string[], name: string): number {
  let times = 0;
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) times += 1;
  }
  return times;
}
