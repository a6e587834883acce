import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorKind, isTriadError } from '../../errors/errors.ts';
import type { Log } from '../request-log.ts';
import { actorOf, stateOf } from '../request-state.ts';
import type { Envelope } from './envelope.ts';
import { type ErrorStatuses, type Refusal, refusalOf } from './error-status.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Headers of every answer, unless a route sets others. Answers hold data of callers: they are not
 * stored, not sniffed for another type, and not shown in frames.
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Answers everything that went wrong, in the envelope of the service. */
export function failureAnswers(envelope: Envelope, log: Log, statuses: ErrorStatuses | undefined) {
  const logFault = (error: unknown, { id: requestId, method, path }: FastifyRequest): Refusal => {
    const errorId = randomUUID();
    log.error({ err: error, errorId, requestId, method, path }, 'internal error');
    const message = `An internal error occurred. Its details are in the log of the server under the id ${errorId}.`;
    return { status: 500, code: 'internal_error', message, errorId };
  };
  return {
    /** Sends the refusal of an error, or a 500 with an id. Details of faults are in the log only. */
    send(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
      const refusal =
        refusalOf(error, statuses) ?? (isOfCaller(error, request) ? CALLER_GONE : logFault(error, request));
      if (refusal.status === 503) log.error({ err: error, requestId: request.id }, 'unavailable');
      const state = stateOf(reply);
      state.refusal = refusal.code;
      const isHidden = namesServers(refusal) && actorOf(request) === undefined;
      reply.header('x-error-code', refusal.code);
      if (refusal.at !== undefined) reply.header('x-error-at', encodeURIComponent(refusal.at));
      if (refusal.needs !== undefined) reply.header('x-error-needs', refusal.needs.join(', '));
      if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)));
      const failure = {
        ...refusal,
        message: isHidden ? withoutServers(request) : refusal.message,
        response: refusal.response === undefined ? usualResponse(error, reply) : refusal.response,
        warnings: state.warnings,
      };
      return reply
        .code(refusal.status)
        .headers({ ...ANSWER_HEADERS, 'content-type': JSON_TYPE })
        .send(envelope.failure(failure));
    },

    /** Answers a request that is not HTTP: there is a socket to write to, and nothing else. */
    answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const { status, message } = UNREADABLE[error.code ?? ''] ?? NOT_HTTP;
      const body = envelope.failure({ status, message, code: 'unreadable_request', warnings: [] });
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  };
}

/** An answer that is never read; the line of the request in the log has its status and code. */
const CALLER_GONE: Refusal = {
  status: 499,
  code: 'caller_gone',
  message: 'The caller closed the connection before the request was complete.',
};
const ENDS_OF_CONNECTIONS: ReadonlySet<unknown> = new Set(['ABORT_ERR', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Returns true when a request failed because its caller closed the connection. */
function isOfCaller(error: unknown, { raw }: FastifyRequest): boolean {
  if (!raw.socket.destroyed || !(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && ENDS_OF_CONNECTIONS.has(error.code));
}

const REFUSED_BY_ROUTE: readonly ErrorKind[] = ['invalid_input', 'forbidden', 'not_found'];

function usualResponse(error: unknown, reply: FastifyReply): unknown {
  return isTriadError(error) && REFUSED_BY_ROUTE.includes(error.kind) ? stateOf(reply).refusalData : undefined;
}

const UNREADABLE: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are larger than this server accepts.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive completely in time.' },
};
const NOT_HTTP = { status: 400, message: 'The request is not valid HTTP.' };

/** Returns whether the message may contain names and addresses of servers. */
function namesServers({ status, code }: Refusal): boolean {
  return status === 503 && code.startsWith('datastore_');
}

/** Returns the message for unknown callers. */
function withoutServers({ id }: FastifyRequest): string {
  return `The service cannot work now, because its datastore does not answer. Try again later; the log of the server has the reason under the request id ${id}.`;
}
