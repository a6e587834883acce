import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from './failure-answers.ts';

const zip = promisify(gzip);

/** A body that is sent again and again, with its envelope; packed once, for the first who accepts gzip. */
export class PackedBody {
  readonly plain: Buffer;
  #packed: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.plain = Buffer.from(text);
  }

  /** Returns the body in gzip. */
  packed(): Promise<Buffer> {
    this.#packed ??= zip(this.plain);
    return this.#packed;
  }

  /** Sends the body, in gzip to those who accept it. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('vary', 'accept-encoding').header('content-type', JSON_TYPE);
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(this.plain);
    return reply.header('content-encoding', 'gzip').send(await this.packed());
  }
}

/** Returns whether a caller accepts gzip with a weight above 0 (RFC 9110 section 12.5.3). */
function takesGzip(accepted: string | string[] | undefined): boolean {
  if (typeof accepted !== 'string') return false;
  return accepted.split(',').some((one) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.test(one));
}
