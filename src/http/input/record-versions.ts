import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { saysTrue } from '../../input/input-kinds.ts';

/** `ETag` is the unquoted version; `If-Match` of a read means If-None-Match (RFC 9110), for clients. */

/** Members of the schema of every change that heeds `If-Match`. */
export const CHANGES_VERSION = {
  description: 'With `If-Match`, that version alone is changed (409 otherwise); without, the present one.',
  refusals: [409],
} as const;

/**
 * Argument of reads that send the version only to callers who ask for it (docs/decisions/0039).
 * The pages of the public system send the last `ETag` of a path with every later request to it, also with changes.
 */
export const VersionQuery = Type.Object({
  versioned: saysTrue({ description: '`true` in any case: `ETag` of the answer is the version, for `If-Match`.' }),
});

/** Returns `If-Match` without quotes, if the request has it. */
export function requestedVersion(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = request.headers['if-match'];
  if (given === undefined || given === '') return undefined;
  return given.length > 1 && given.startsWith('"') && given.endsWith('"') ? given.slice(1, -1) : given;
}

/** Sends the version of the record in the answer. */
export function sendVersion(reply: FastifyReply, version: string): void {
  reply.header('etag', version);
}

/** Sends the version of a record; returns true, with status 304, if the caller has it. */
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
