/**
 * Declares the module that extensions import. `triad extension new` copies this file, so that an
 * extension type-checks wherever its folder is.
 */
declare module 'triad/extension' {
  /** A manifest, `manifest.yml`, or the same made by a program. References may be what they refer to. */
  export interface Manifest {
    readonly name: string;
    /** Flags of the extension's own. */
    readonly features: Readonly<Record<string, boolean>>;
    readonly modules: {
      /** Reference such as `inventory.init:initialize`. */
      readonly init?: string | Initialize;
      /** `items` is `<name>.routes.items`, else `<name>.items`; with a dot as it stands. */
      readonly routes?: readonly (string | RouteGroup)[];
      /** True: `get_obo_token` of the module `<name>.obo`. */
      readonly obo_module?: boolean | string | GetOboToken;
    };
    /** Settings of the extension's own. */
    readonly [key: string]: unknown;
  }

  /**
   * Reads and validates `manifest.yml` beside a module.
   * @param module `import.meta.url` of the module, or the path of the folder
   * @throws Error with line and key of what is wrong
   */
  export function readManifest(module: string): Manifest;

  /** The application, as `init` gets it. */
  export interface Application {
    /** Version of the program. */
    readonly version: string;
    readonly config: Manifest;
    readonly log: Log;
  }

  /** Writes to the log of the program, with the name of the extension. */
  export interface Log {
    info(message: string, fields?: object): void;
    warn(message: string, fields?: object): void;
    error(message: string, fields?: object): void;
  }

  /** Runs once before routes are registered, at most 30 seconds. */
  export type Initialize = (app: Application) => void | Promise<void>;

  /**
   * Exchanges the token of a user for one of another service, in at most 10 seconds. Null: not
   * handled, so that other extensions and the core are asked.
   */
  export type GetOboToken = (
    service: string,
    access_token: string,
    user: string,
  ) => string | null | Promise<string | null>;

  /**
   * Registers a type of values, stored as `type`, or as `namespace/type`.
   * @param regex validates values of lookups. Syntax of RE2, which JavaScript has to understand too.
   * @throws Error for a name that is taken or not usable, and for an expression that RE2 cannot express
   */
  export function add_supported_type(type: string, regex?: string | null, namespace?: string | null): void;

  export interface User {
    readonly uname: string;
    readonly name: string;
    readonly email: string | null;
    readonly classification: string;
    /** User types. */
    readonly type: readonly string[];
    readonly groups: readonly string[];
  }

  export interface Request {
    readonly method: string;
    readonly path: string;
    /** Parts of the path by name, decoded. */
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string | readonly string[]>>;
    /** In lower case, without credentials. */
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    /** JSON of a JSON request, the characters of any other; undefined without a body. */
    readonly body: unknown;
    /** The caller. Null on routes that are open. */
    readonly user: User | null;
    /** Aborts when the time for the answer is over. */
    readonly signal: AbortSignal;
  }

  /** Request of a route that requires a login. */
  export interface UserRequest extends Request {
    readonly user: User;
  }

  /** An answer in the envelope of the service. */
  export interface Answer {
    readonly status: number;
    readonly data: unknown;
    readonly message: string;
    readonly warnings: readonly string[];
  }

  /** A JSON body with its status, a JSON body alone (200), or an answer in the envelope. */
  export type Reply = readonly [body: unknown, status: number] | Answer | object | string | number | boolean | null;

  export type Handler = (request: Request) => Reply | Promise<Reply>;
  export type UserHandler = (request: UserRequest) => Reply | Promise<Reply>;

  /** A handler that only callers with a credential reach. */
  export interface ProtectedHandler {
    readonly requiresLogin: true;
    readonly handler: UserHandler;
  }

  /** Protects a route: callers without a valid credential get a 401. */
  export function requireLogin(handler: UserHandler): ProtectedHandler;

  export interface RouteOptions {
    /** A few words for the documentation of the interface. */
    readonly summary?: string;
    readonly description?: string;
  }

  /** Routes below `/api/v1/<name>`. Paths may have parts such as `<data_id>`, and end with `<path:rest>`. */
  export interface RouteGroup {
    readonly name: string;
    get(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this;
    post(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this;
    put(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this;
    patch(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this;
    delete(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this;
  }

  /** Creates a group of routes for a sub-API, of version 1. */
  export function createRouteGroup(name: string): RouteGroup;

  /** Answers data in the envelope, with status 200. */
  export function ok(data: unknown, warnings?: readonly string[]): Answer;
  /** Answers a failure in the envelope. */
  export function failure(status: number, message: string, data?: unknown): Answer;
}
