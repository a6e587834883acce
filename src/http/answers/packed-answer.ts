import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding, PackedJson } from '../../json/packed-json.ts';
import { JSON_TYPE } from './failure-answers.ts';

/** Sends a body that has its envelope already, in Brotli or gzip to those who accept it. */
export async function sendPacked(
  body: PackedJson,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding').header('content-type', JSON_TYPE);
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(body.plain);
  return reply.header('content-encoding', encoding).send(await body.packed(encoding));
}

/** Returns the smaller encoding that a caller accepts with a weight above 0 (RFC 9110 section 12.5.3). */
function acceptedEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  if (typeof accepted !== 'string') return undefined;
  const names = accepted
    .split(',')
    .map((one) => /^\s*(br|gzip)\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.exec(one)?.[1]?.toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}
