import type { TSchema } from 'typebox';
import type { Actor, Privilege, ServiceRole } from '../identity/actor.ts';
import type { RequestPlace } from '../identity/oauth/return-address.ts';
import type { RefusalStatus } from './answers/documented-refusals.ts';
import type { ServiceApp } from './input/request-input.ts';

/** The callers of a route. A route without it cannot be registered. */
export type RouteAccess = 'public' | GuardedAccess;

export interface GuardedAccess {
  /** Privileges of the credential, of which one is enough. `by_roles` if credentials have none. */
  readonly privileges: readonly Privilege[] | 'by_roles';
  /** Roles, of which one is enough. `any` admits callers without a role, too. */
  readonly roles: readonly ServiceRole[] | 'any';
  /** One log line per authorised call. Default false. */
  readonly audit?: boolean;
  /** Counts against the caller's requests. `concurrent`: but not against those of the day. Default true. */
  readonly quota?: boolean | 'concurrent';
  /** Accounts that are switched off may call it too, to be told so. Default false. */
  readonly allowInactive?: boolean;
  /** Sessions need their XSRF token, which proves that a page of the service calls. Default true. */
  readonly xsrf?: boolean;
  /** Answers while the service is read-only. Default true: callers can still change their keys. */
  readonly readOnly?: boolean;
  /** Answers also before the caller has agreed to the terms of service. Default false. */
  readonly beforeTerms?: boolean;
  /** Rejects credentials with fewer rights than their account, to grant rights. Default false. */
  readonly fullScope?: boolean;
  /** The place of the credential of a websocket, which its handler verifies. Default: the request. */
  readonly credential?: 'first_frame';
  /** Rejects calls on behalf of others, for routes that change credentials. Default false. */
  readonly inOwnName?: boolean;
}

/**
 * Determines `request.body`, which is read after the caller is admitted.
 * - `json`: required, media type JSON (else 415), anything unreadable is a 400
 * - `binary_json`: as `json`; strings may hold the character NUL, because they are parts of files
 * - `lenient_json`: JSON if it is readable, else undefined, for any media type (searches)
 * - `typed_json`: JSON when the media type says so, unreadable is a 400; undefined for any other media type
 * - `json_or_form`: JSON, or `application/x-www-form-urlencoded` as an object of strings; undefined without a body
 * (login)
 * - `lenient_json_or_form`: the same if it is readable, else undefined, for any media type
 * - `text`: UTF-8 text as it is, '' without a body
 * - `stream`: undefined; the handler reads `request.raw` and limits it, `http.max_body_size` does not count
 * - `ignored`: undefined.
 */
export type BodyReading =
  | 'json'
  | 'binary_json'
  | 'lenient_json'
  | 'typed_json'
  | 'json_or_form'
  | 'lenient_json_or_form'
  | 'text'
  | 'stream'
  | 'ignored';

declare module 'fastify' {
  interface RouteShorthandOptions {
    access?: RouteAccess;
    /** Default: `json` when the schema documents a body, else `ignored`. */
    body?: BodyReading;
    /** False sends the answer without the envelope of the service (health, metrics, pages). Default true. */
    envelope?: boolean;
    /** Name of the final `*` of the path in the documentation, such as `filename`. Required with a `*`. */
    wildcard?: string;
    /** Data of refusals after the body, such as `{ success: false }`. Default: the plain failure. */
    refusal?: unknown;
  }
  /** Additions to the schemas of `params`, `querystring` and `body`, which validate, and of `response`. */
  interface FastifySchema {
    /** A few words, in the imperative: `Create a view`. */
    summary?: string;
    description?: string;
    /** Resource that the route belongs to. Default: the third part of its path. */
    tags?: readonly string[];
    /** Unique in the service. Default: made from method and path. */
    operationId?: string;
    deprecated?: boolean;
    /** Statuses of refusals in addition to those that follow from access, path and body. */
    refusals?: readonly RefusalStatus[];
    /** Schemas of the body `stream` by media type, for the documentation. Default: any bytes. */
    streamed?: Readonly<Record<string, TSchema>>;
  }
  interface FastifyRequest {
    /** The caller. Throws on a public route. */
    readonly actor: Actor;
    /** Path as the caller wrote it, decoded, without the query. */
    readonly path: string;
    /** The address at which the browser reached the service, and its page. */
    readonly place: RequestPlace;
  }
  interface FastifyReply {
    /** Adds a line to `api_warning` of the answer. */
    warn(text: string): void;
  }
}

/**
 * Registers the routes of a resource. Paths are written as in the public system (`/api/v1/view/` with
 * the slash for a collection); both forms answer. A handler returns the data of the answer, any JSON (undefined: the
 * plain success). The status is the one of success in `schema.response` (default 200) unless the handler sets another;
 * 204 and 304 have no body.
 */
export type RouteModule = (app: ServiceApp) => void;

/** Responses of a route that answers 204 without a body. */
export const NO_CONTENT = { 204: {} } as const;
