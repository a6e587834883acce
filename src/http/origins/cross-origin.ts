import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface CrossOriginOptions {
  /** Returns whether pages of an origin may call. */
  readonly isAllowed: (origin: string) => boolean;
  /** Beginning of the paths that they may call. */
  readonly below: string;
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const HEADERS = 'Authorization, Content-Type, Accept, If-Match, X-Requested-With, X-XSRF-TOKEN';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
/** Seconds that browsers need not ask again. */
const MAX_AGE = '600';

/**
 * Permits pages of certain origins to call the service with credentials (Fetch standard, CORS
 * protocol), and answers preflight requests of all origins without a credential. `@fastify/cors` is not used: it
 * registers a route `OPTIONS *` without access, which takes over the other OPTIONS requests, and leaves preflights of
 * other origins to the guard.
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
