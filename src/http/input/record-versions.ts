import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Versions of records in HTTP, as the public systems do it: `ETag` carries the version as it is, unquoted, and `If-Match` on a read
 * means what RFC 9110 calls If-None-Match.
 */

/** `If-Match` of the request, quotes taken off; undefined without one. */
export function requestedVersion(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = request.headers['if-match'];
  if (given === undefined || given === '') return undefined;
  return given.length > 1 && given.startsWith('"') && given.endsWith('"') ? given.slice(1, -1) : given;
}

/** Tells the caller the version of the record in the answer. */
export function sendVersion(reply: FastifyReply, version: string): void {
  reply.header('etag', version);
}

/**
 * For reads: tells the version, and sets status 304 when the caller has it already. Whether it did; the handler then returns
 * nothing.
 */
export function answerNotModified(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  version: string,
): boolean {
  sendVersion(reply, version);
  if (requestedVersion(request) !== version) return false;
  reply.code(304);
  return true;
}
