import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, stateOf } from './request-state.ts';

/** Ids of callers that cannot harm a log. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Returns a generator of request ids: a harmless `X-Request-Id` of the caller, else a unique id. */
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
      error: stateOf(reply).refusal,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      user: actor?.username,
      impersonator: actor?.impersonator,
      address: request.ip,
      forwardedFor: typeof forwarded === 'string' ? forwarded.slice(0, 200) : undefined,
    },
    'request',
  );
}
