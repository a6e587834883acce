import type { FastifyInstance } from 'fastify';
import type { Actor, Privilege, Role } from '../identity/actor.ts';

/**
 * Who may call a route. `public` is a word somebody had to write; everything else names privileges (any of them is enough, on
 * the credential used) and roles (any of them, on the user). Registration of a route without it throws.
 */
export type RouteAccess =
  | 'public'
  | {
      readonly privileges: readonly Privilege[];
      readonly roles: readonly Role[];
      /** One log line per authorised call. Default false. */
      readonly audit?: boolean;
      /** Counts against the caller's concurrent requests. Default true. */
      readonly quota?: boolean;
    };

declare module 'fastify' {
  interface RouteShorthandOptions {
    access?: RouteAccess;
  }
  interface FastifyRequest {
    /** The caller. Throws on a public route. */
    readonly actor: Actor;
  }
}

/** A resource's routes: registers them on the service's server. */
export type RouteModule = (app: FastifyInstance) => void;
