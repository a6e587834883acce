import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidInput } from '../errors/errors.ts';

export interface CrossOriginOptions {
  /** Whether pages of an origin may call. */
  readonly isAllowed: (origin: string) => boolean;
  /** Start of the paths that pages of these origins may call. */
  readonly below: string;
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const HEADERS = 'Authorization, Content-Type, Accept, If-Match, X-Requested-With, X-XSRF-TOKEN';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
/** Seconds that browsers need not ask again. */
const MAX_AGE = '600';

/**
 * Tells browsers that pages of certain origins may call the service (Fetch standard, CORS protocol), with credentials. Pages of other
 * origins get no such header; what a browser asks before a call is answered without a credential.
 */
export function allowOrigins(app: FastifyInstance, { isAllowed, below }: CrossOriginOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (!(request.raw.url ?? '').startsWith(below)) return done();
    reply.header('vary', 'Origin');
    if (origin === undefined) return done();
    const allowed = isAllowed(origin);
    if (allowed) {
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
    }
    if (isPreflight(request)) sendPreflight(reply, allowed);
    else {
      if (allowed) reply.header('access-control-expose-headers', EXPOSED);
      done();
    }
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function sendPreflight(reply: FastifyReply, allowed: boolean): void {
  if (allowed) {
    reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', MAX_AGE);
  }
  reply.code(200).send();
}

const EXPRESSION = /[\\*+?^$()[\]{}|]/;

/**
 * Whether an origin is one of these. What is no origin (`null`, a path behind the host) never is.
 * @param origins `https://host`, or regular expressions that the whole origin has to match
 * @param setting name of the setting that they come from, for the message
 * @throws InvalidInput `invalid_setting` when an expression cannot be read
 */
export function originTest(origins: readonly string[], setting: string): (origin: string) => boolean {
  const exact = new Set(origins.filter((one) => !EXPRESSION.test(one)).map((one) => one.replace(/\/$/, '')));
  const patterns = origins.filter((one) => EXPRESSION.test(one)).map((one) => wholeMatch(one, setting));
  return (origin) => isOrigin(origin) && (exact.has(origin) || patterns.some((pattern) => pattern.test(origin)));
}

function wholeMatch(text: string, setting: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`, 'i');
  } catch (cause) {
    throw new InvalidInput('invalid_setting', `${setting}: ${text} is not a regular expression.`, {
      cause,
      at: setting,
    });
  }
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
