import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import type { CallerCredential } from '../identity/caller-credential.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';

const ACTOR = Symbol('actor');
const CREDENTIAL = Symbol('credential');
const STATE = Symbol('state');

interface ReplyState {
  readonly warnings: string[];
  /** Stable code of the error that the reply reports, if any. */
  refusal?: string;
  /** Data of refusals of the route that bring none, once the body was read. */
  refusalData?: unknown;
}

/** Adds `actor`, `path`, `place` and `warn`; `publicUrl` undefined: the one that each request says. */
export function decorateRequests(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorateRequest(ACTOR, undefined);
  app.decorateRequest(CREDENTIAL, undefined);
  app.decorateRequest('actor', {
    getter(this: FastifyRequest) {
      const actor = actorOf(this);
      if (actor === undefined) throw new Error(`the public route ${this.path} asked who is calling`);
      return actor;
    },
  });
  app.decorateRequest('path', { getter: pathOf });
  app.decorateRequest('place', {
    getter(this: FastifyRequest) {
      return placeOf(this, publicUrl);
    },
  });
  app.decorateReply(STATE, undefined);
  app.decorateReply('warn', function warn(this: FastifyReply, text: string) {
    stateOf(this).warnings.push(text);
  });
}

/** Returns the caller after the guard admitted them; undefined before, and on public routes. */
export function actorOf(request: FastifyRequest): Actor | undefined {
  return (request as unknown as { readonly [ACTOR]: Actor | undefined })[ACTOR];
}

export function setActor(request: FastifyRequest, actor: Actor): void {
  (request as unknown as { [ACTOR]: Actor })[ACTOR] = actor;
}

/**
 * Returns the kind of credential of the caller, for calls on their behalf.
 * Throws on public routes, and at services whose guard keeps none.
 */
export function credentialOf(request: FastifyRequest): CallerCredential {
  const { [CREDENTIAL]: credential } = request as unknown as { readonly [CREDENTIAL]: CallerCredential | undefined };
  if (credential === undefined) throw new Error(`the route ${request.path} asked for the credential of its caller`);
  return credential;
}

export function setCredential(request: FastifyRequest, credential: CallerCredential): void {
  (request as unknown as { [CREDENTIAL]: CallerCredential })[CREDENTIAL] = credential;
}

/** Returns what is known of the answer before it is sent. */
export function stateOf(reply: FastifyReply): ReplyState {
  const slots = reply as unknown as { [STATE]: ReplyState | undefined };
  slots[STATE] ??= { warnings: [] };
  return slots[STATE];
}

function placeOf(request: FastifyRequest, publicUrl: string | undefined): RequestPlace {
  const { headers, protocol, host } = request;
  const origin = URL.parse(publicUrl ?? `${protocol}://${host}`)?.origin;
  // Only the proxy of the browser itself can send this header, so it counts without `http.trusted_proxies`.
  const forwarded = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const isEncrypted = origin?.startsWith('https:') === true || forwarded?.trim().toLowerCase() === 'https';
  return { origin, isEncrypted, referer: headers.referer };
}

/** Returns the path of a request target without the query, decoded if possible. */
function pathOf(this: FastifyRequest): string {
  const { url = '/' } = this.raw;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
