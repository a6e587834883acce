import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface Selector {
  readonly type: string;
  readonly value: string;
  readonly classification?: string | null;
  readonly sources?: readonly string[] | null;
}

interface AnnotationFields {
  /** What found it. Exactly one of `analytic` and `author` is needed. */
  readonly analytic?: string;
  readonly author?: string;
  /** Icon of Iconify, `set:name`. */
  readonly analytic_icon?: string;
  readonly icon?: string;
  /** How often it was seen. Default 1. */
  readonly quantity?: number;
  readonly version?: string;
  /** ISO 8601. Default: now. */
  readonly timestamp?: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly severity?: number;
  readonly priority?: number;
  readonly summary: string;
  /** Markdown. */
  readonly details?: string;
  readonly link?: string;
  readonly ubiquitous?: boolean;
}

export type Annotation = AnnotationFields &
  (
    | { readonly type: 'opinion'; readonly value: 'benign' | 'suspicious' | 'malicious' | 'obscure' }
    | { readonly type: 'frequency'; readonly value: number }
    | { readonly type: 'context'; readonly value: string }
    | {
        readonly type: 'mitigation';
        readonly value:
          | 'exempt'
          | 'alertable'
          | 'blockable'
          | 'shareable'
          | 'not-alertable'
          | 'not-blockable'
          | 'not-shareable';
      }
    | {
        readonly type: 'assessment';
        readonly value:
          | 'ambiguous'
          | 'security'
          | 'development'
          | 'false-positive'
          | 'legitimate'
          | 'trivial'
          | 'recon'
          | 'attempt'
          | 'compromise'
          | 'mitigated';
      }
  );

export interface QueryEntry {
  /** Default: that of the plugin. */
  readonly classification?: string;
  /** Matches found. Default 1. */
  readonly count?: number;
  readonly link?: string;
  readonly annotations?: readonly Annotation[];
  /** Sent to callers who ask for it. */
  readonly raw_data?: unknown;
}

/** The caller, as `validateToken` found them. Empty without it. */
export interface Identity {
  readonly token?: string;
  readonly user?: string | undefined;
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Token before its exchange. */
  readonly originalToken?: string;
}

export interface LookupContext extends Identity {
  readonly limit: number;
  /** Seconds. */
  readonly maxTimeout: number;
  /** Seconds since 1970. */
  readonly deadline: number;
  readonly annotate: boolean;
  readonly raw: boolean;
  readonly useCache: boolean;
  /** Aborts at the deadline, and when the caller closes the connection. */
  readonly signal: AbortSignal;
}

type Found = readonly QueryEntry[] | QueryEntry | null | undefined;
type Awaitable<T> = T | Promise<T>;

export type Lookup = (type: string, value: string, context: LookupContext) => Awaitable<Found>;

/** Looks selectors up together. Results by type and value; those without one have no items. */
export type BulkLookup = (
  selectors: readonly Selector[],
  context: LookupContext,
) => Awaitable<
  Readonly<
    Record<
      string,
      Readonly<
        Record<string, readonly QueryEntry[] | { readonly items: readonly QueryEntry[]; readonly error?: string }>
      >
    >
  >
>;

/** A field of the form of an action. */
export interface ActionField {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean';
  readonly enum?: readonly string[];
  readonly optional?: boolean;
  readonly default?: string | number | boolean;
  readonly title?: string;
  readonly description?: string;
  /** Place in the form. */
  readonly order?: number;
  readonly rule?: object;
  readonly options?: object;
}

type FieldValue<Field> = Field extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly type: 'number' | 'integer' }
    ? number
    : Field extends { readonly type: 'boolean' }
      ? boolean
      : string;

export type ActionParams<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly optional: true }
    ? FieldValue<Fields[Name]> | null
    : FieldValue<Fields[Name]>;
};

export interface ActionRequest<Fields = Readonly<Record<string, ActionField>>> extends Identity {
  readonly selector: Selector | null;
  readonly selectors: readonly Selector[];
  readonly params: ActionParams<Fields>;
  readonly context: Readonly<Record<string, unknown>> | null;
  readonly signal: AbortSignal;
}

export interface ActionResult {
  readonly outcome: 'success' | 'failure';
  readonly summary?: string;
  /** `pivot`: a URL; `markdown`: a string; `json`; `image`; `status`; `graph`; or one of your own. */
  readonly format?: string;
  readonly output?: unknown;
  readonly link?: string;
}

export interface Action<Fields extends Readonly<Record<string, ActionField>> = Readonly<Record<string, ActionField>>> {
  readonly id: string;
  readonly name: string;
  readonly classification?: string;
  readonly summary?: string;
  /** Default: any type. */
  readonly supportedTypes?: readonly string[];
  readonly icon?: string;
  readonly acceptEmpty?: boolean;
  readonly acceptMultiple?: boolean;
  readonly format?: string;
  readonly extraSchema?: object;
  readonly params?: Fields;
  run(request: ActionRequest<Fields>): Awaitable<ActionResult>;
}

export type FetcherResult =
  | { readonly outcome: 'success'; readonly format: string; readonly data: unknown; readonly link?: string }
  | { readonly outcome: 'failure'; readonly error: string; readonly link?: string };

export interface Fetcher {
  readonly id: string;
  readonly classification?: string;
  readonly description: string;
  readonly format: string;
  readonly supportedTypes?: readonly string[];
  readonly extraData?: Readonly<Record<string, unknown>>;
  run(selector: Selector, context: Identity & { readonly signal: AbortSignal }): Awaitable<FetcherResult>;
}

/** Returns who the caller is. Throws `AuthenticationFailed` to refuse them. */
export type ValidateToken = (
  token: string,
) => Awaitable<{ readonly user?: string; readonly claims?: Readonly<Record<string, unknown>> } | undefined>;

export interface CacheStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, seconds: number): Promise<void>;
}

export interface CacheOptions {
  /** Seconds. Default 300. */
  readonly ttl?: number;
  /** Entries belong to the user who asked. Default: true with `validateToken`. */
  readonly perUser?: boolean;
  /** Default: the memory of the process. */
  readonly store?: CacheStore;
}

export interface PluginSlots {
  readonly lookup?: Lookup;
  readonly bulk?: BulkLookup;
  /** Actions, or a function that returns those of a caller. */
  readonly actions?: readonly Action[] | ((identity: Identity) => Awaitable<readonly Action[]>);
  readonly fetchers?: readonly Fetcher[];
  readonly validateToken?: ValidateToken;
  /** False: not alive, not ready. */
  readonly liveness?: () => Awaitable<boolean>;
  readonly readiness?: () => Awaitable<boolean>;
}

export interface PluginOptions extends PluginSlots {
  readonly name: string;
  /** Of types, actions, fetchers and entries that name none. Default: the variable CLASSIFICATION. */
  readonly classification?: string;
  /** Types of values that can be looked up: a list, or names separated by commas. */
  readonly types?: Iterable<string> | string;
  /** False: none. */
  readonly cache?: CacheOptions | false;
  /** Default: the variable MAX_LIMIT, else 100. */
  readonly maxLimit?: number;
  /** Seconds, for callers who set no time. Default: the variable MAX_TIMEOUT, else 3. */
  readonly maxTimeout?: number;
  /** Lookups of one bulk request at the same time. Default 16. */
  readonly concurrency?: number;
  readonly log?: { error(error: unknown): void };
}

export interface Plugin {
  readonly name: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Fills a slot, also later. */
  use<Slot extends keyof PluginSlots>(slot: Slot, value: NonNullable<PluginSlots[Slot]>): this;
  /** Default port: the variables PLUGIN_PORT and PORT, else 8000. */
  listen(port?: number, host?: string): Promise<Server>;
}

export function createPlugin(options: PluginOptions): Plugin;

/** Types the parameters of an action by its fields. */
export function defineAction<const Fields extends Readonly<Record<string, ActionField>>>(
  action: Action<Fields>,
): Action;

export function memoryStore(options?: { readonly maximum?: number; readonly now?: () => number }): CacheStore;

/** Returns a `validateToken` for tokens whose keys an address of JWKS publishes. */
export function jwksTokens(options: {
  readonly url: string;
  readonly audience: string | readonly string[];
  readonly issuer?: string;
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}): (token: string) => Promise<{ readonly user: string; readonly claims: Readonly<Record<string, unknown>> }>;

/** Returns the name of the user in the claims of a token. */
export function userOf(claims: Readonly<Record<string, unknown>>): string | undefined;

/** Asks another service for JSON; repeats after 429 and 5xx while there is time. */
export function askUpstream(
  address: string | URL,
  options?: RequestInit & { readonly retries?: number },
): Promise<unknown>;

export class PluginError extends Error {
  constructor(status: number, message: string, options?: ErrorOptions);
  readonly status: number;
}
/** 400: the request is not valid. */
export class InvalidData extends PluginError {
  constructor(message?: string, options?: ErrorOptions);
}
/** 401: the token is refused. */
export class AuthenticationFailed extends PluginError {
  constructor(message?: string, options?: ErrorOptions);
}
/** 404: nothing is known of the value. */
export class NotFound extends PluginError {
  constructor(message?: string, options?: ErrorOptions);
}
/** 408: it took too long. */
export class TimedOut extends PluginError {
  constructor(message?: string, options?: ErrorOptions);
}
/** 422: the value cannot be processed. */
export class Unprocessable extends PluginError {
  constructor(message?: string, options?: ErrorOptions);
}
