import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
