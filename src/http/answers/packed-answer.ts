import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PackedJson } from '../../json/packed-json.ts';
import { JSON_TYPE } from './failure-answers.ts';

/** Sends a body that has its envelope already, in gzip to those who accept it. */
export async function sendPacked(
  body: PackedJson,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding').header('content-type', JSON_TYPE);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(body.plain);
  return reply.header('content-encoding', 'gzip').send(await body.packed());
}

/** Returns whether a caller accepts gzip with a weight above 0 (RFC 9110 section 12.5.3). */
function takesGzip(accepted: string | string[] | undefined): boolean {
  if (typeof accepted !== 'string') return false;
  return accepted.split(',').some((one) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.test(one));
}
