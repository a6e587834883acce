import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';

const ACTOR = Symbol('actor');
const WARNINGS = Symbol('warnings');
const REFUSAL = Symbol('refusal');
const REFUSAL_DATA = Symbol('refusal data');
const NO_WARNINGS: readonly string[] = [];

interface RequestSlots {
  [ACTOR]: Actor | undefined;
}
interface ReplySlots {
  [WARNINGS]: string[] | undefined;
  [REFUSAL]: string | undefined;
  [REFUSAL_DATA]: unknown;
}

/**
 * Gives requests `actor`, `path` and `place`, and replies `warn` (declared in route-access.ts).
 * @param publicUrl public URL of the service; undefined: the one that each request says
 */
export function decorateRequests(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorateRequest(ACTOR, undefined);
  app.decorateRequest('actor', {
    getter(this: FastifyRequest) {
      const actor = actorOf(this);
      if (actor === undefined) throw new Error(`the public route ${this.path} asked who is calling`);
      return actor;
    },
  });
  app.decorateRequest('path', {
    getter(this: FastifyRequest) {
      return pathOf(this.raw.url ?? '/');
    },
  });
  app.decorateRequest('place', {
    getter(this: FastifyRequest) {
      return placeOf(this, publicUrl);
    },
  });
  app.decorateReply(WARNINGS, undefined);
  app.decorateReply(REFUSAL, undefined);
  app.decorateReply(REFUSAL_DATA, undefined);
  app.decorateReply('warn', function warn(this: FastifyReply, text: string) {
    const slots = this as unknown as ReplySlots;
    if (slots[WARNINGS] === undefined) slots[WARNINGS] = [text];
    else slots[WARNINGS].push(text);
  });
}

/** The caller, once the guard let them in; undefined before, and on public routes. */
export function actorOf(request: FastifyRequest): Actor | undefined {
  return (request as unknown as RequestSlots)[ACTOR];
}

export function setActor(request: FastifyRequest, actor: Actor): void {
  (request as unknown as RequestSlots)[ACTOR] = actor;
}

export function warningsOf(reply: FastifyReply): readonly string[] {
  return (reply as unknown as ReplySlots)[WARNINGS] ?? NO_WARNINGS;
}

/** Stable code of the error that the reply tells of; undefined when all is well. */
export function refusalCodeOf(reply: FastifyReply): string | undefined {
  return (reply as unknown as ReplySlots)[REFUSAL];
}

export function setRefusalCode(reply: FastifyReply, code: string): void {
  (reply as unknown as ReplySlots)[REFUSAL] = code;
}

/** Data that refusals of the route have which bring none; undefined before the body was read. */
export function refusalDataOf(reply: FastifyReply): unknown {
  return (reply as unknown as ReplySlots)[REFUSAL_DATA];
}

export function setRefusalData(reply: FastifyReply, data: unknown): void {
  (reply as unknown as ReplySlots)[REFUSAL_DATA] = data;
}

function placeOf(request: FastifyRequest, publicUrl: string | undefined): RequestPlace {
  const { headers, protocol, host } = request;
  const origin = URL.parse(publicUrl ?? `${protocol}://${host}`)?.origin;
  // Only the proxy of the browser itself can send this header, so encryption is believed without `http.trusted_proxies`.
  const forwarded = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const isEncrypted = origin?.startsWith('https:') === true || forwarded?.trim().toLowerCase() === 'https';
  return { origin, isEncrypted, referer: headers.referer };
}

/** Path of a request target, decoded as far as it can be, without the query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
