import type { Actor, Privilege, ServiceRole } from '../identity/actor.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';
import type { ServiceApp } from './input/request-input.ts';

/**
 * Who may call a route. `public` is a word somebody had to write; everything else is behind the service's guard. Registration of a
 * route without it throws.
 */
export type RouteAccess = 'public' | GuardedAccess;

export interface GuardedAccess {
  /** Any of them is enough, on the credential used. `by_roles`: on services whose credentials limit roles and have no privileges. */
  readonly privileges: readonly Privilege[] | 'by_roles';
  /** Any of them is enough. `any`: whoever is let in may call it, also without a role. */
  readonly roles: readonly ServiceRole[] | 'any';
  /** One log line per authorised call. Default false. */
  readonly audit?: boolean;
  /** Counts against the caller's requests. `concurrent`: but not against those of the day. Default true. */
  readonly quota?: boolean | 'concurrent';
  /** Accounts that are switched off may call it too, to be told so. Default false. */
  readonly allowInactive?: boolean;
  /** Sessions have to prove with their XSRF token that the caller's own page sends the request. Default true. */
  readonly xsrf?: boolean;
  /** Answers also while the service is read-only. Default true: changes of what the caller owns, like keys, stay possible. */
  readonly readOnly?: boolean;
  /** Answers also before the caller has agreed to the terms of service. Default false. */
  readonly beforeTerms?: boolean;
  /** Rejects credentials with fewer rights than their account: for routes that give out rights. Default false. */
  readonly fullScope?: boolean;
  /** Refuses who calls in the name of somebody else: for what proves later who that is, like keys. Default false. */
  readonly inOwnName?: boolean;
}

/**
 * How a route reads its request body; `request.body` is what came out. Nothing is read before the caller is let in.
 * - `json`: required, media type JSON (else 415), anything unreadable is a 400
 * - `lenient_json`: as JSON when it can be read, else undefined, whatever the media type (searches)
 * - `json_or_form`: JSON, or `application/x-www-form-urlencoded` as an object of strings; undefined without a body (login)
 * - `lenient_json_or_form`: the same when it can be read, else undefined, whatever the media type
 * - `text`: UTF-8 text as it is, '' without a body
 * - `ignored`: read and thrown away, `request.body` is undefined
 */
export type BodyReading = 'json' | 'lenient_json' | 'json_or_form' | 'lenient_json_or_form' | 'text' | 'ignored';

declare module 'fastify' {
  interface RouteShorthandOptions {
    access?: RouteAccess;
    /** Default: `json` when the schema documents a body, else `ignored`. */
    body?: BodyReading;
    /** False: the answer goes out as the handler made it, without the service's envelope (health, metrics, pages). Default true. */
    envelope?: boolean;
    /** What the final `*` of the path stands for, as the documentation names it: `filename`. Needed with a `*`. */
    wildcard?: string;
    /**
     * Data of refusals that bring none, once caller and body are known, for clients that look into it: `{ success: false }`. Default: the
     * service's plain failure.
     */
    refusal?: unknown;
  }
  /** Beside the schemas of `params`, `querystring` and `body`, which read the request, and of `response`, which document. */
  interface FastifySchema {
    /** A few words, in the imperative: `Create a view`. */
    summary?: string;
    description?: string;
    /** Resource that the route belongs to. Default: the third part of its path. */
    tags?: readonly string[];
    /** Unique in the service. Default: made from method and path. */
    operationId?: string;
    deprecated?: boolean;
  }
  interface FastifyRequest {
    /** The caller. Throws on a public route. */
    readonly actor: Actor;
    /** Path as the caller wrote it, decoded, without the query. */
    readonly path: string;
    /** How the browser reached the service, and from which page. */
    readonly place: RequestPlace;
  }
  interface FastifyReply {
    /** Adds a line to `api_warning` of the answer. */
    warn(text: string): void;
  }
}

/**
 * A resource's routes: registers them on the service's server. Paths are written as the public system declares them
 * (`/api/v1/view/` with the slash for a collection's root); both forms answer. A handler returns the data of the answer, any JSON
 * (undefined: the service's plain success). The status is the one of success in `schema.response` (default 200) unless the handler
 * sets another; 204 and 304 go out empty.
 */
export type RouteModule = (app: ServiceApp) => void;

/** Responses of a route that answers 204 without a body. */
export const NO_CONTENT = { 204: {} } as const;
