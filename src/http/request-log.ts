import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, refusalCodeOf } from './request-state.ts';

/** Ids of callers are taken over when they cannot harm a log. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Names each request: the caller's `X-Request-Id` when it is harmless, else one of our own, unique across processes. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && ACCEPTABLE_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** The part of a logger that the HTTP ground writes to; pino's loggers fit. */
export interface Log {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

/** One line for each answered request. Neither query nor headers, where credentials may be. */
export function writeRequestLine(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const actor = actorOf(request);
  const forwarded = request.headers['x-forwarded-for'];
  log.info(
    {
      requestId: request.id,
      method: request.method,
      path: request.path,
      status: reply.statusCode,
      error: refusalCodeOf(reply),
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      user: actor?.username,
      impersonator: actor?.impersonator,
      address: request.ip,
      forwardedFor: typeof forwarded === 'string' ? forwarded.slice(0, 200) : undefined,
    },
    'request',
  );
}
