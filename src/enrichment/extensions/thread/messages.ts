/** Data of the start of an extension's thread. */
export interface ThreadStart {
  /** Name in the setting `core.extensions`. */
  readonly entry: string;
  readonly folder: string;
  /** Version of the program. */
  readonly version: string;
  /** Keys of types that are there already. */
  readonly types: readonly string[];
}

/** Steps of loading, in their order (specification, extension loading order). */
export const STEPS = ['config', 'init', 'routes', 'obo'] as const;
export type LoadingStep = (typeof STEPS)[number];

/** A request to a route, as the thread gets it. */
export interface RouteCall {
  readonly group: number;
  readonly route: number;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
  readonly user: object | null;
  /** Milliseconds until the answer has to be there. */
  readonly timeout: number;
}

export type ThreadCall =
  | { readonly kind: 'step'; readonly step: LoadingStep }
  | { readonly kind: 'route'; readonly request: RouteCall }
  | { readonly kind: 'exchange'; readonly service: string; readonly token: string; readonly user: string }
  | { readonly kind: 'ping' };

/** Result of the step `config`. */
export interface LoadedConfig {
  readonly name: string;
  readonly features: Readonly<Record<string, boolean>>;
}

/** A route group, as the result of the step `routes` describes it. */
export interface DescribedGroup {
  readonly name: string;
  readonly routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly wildcard: string | undefined;
    readonly parameters: readonly string[];
    readonly requiresLogin: boolean;
    readonly summary: string;
    readonly description: string;
  }[];
}

/** Result of a call of a route. */
export interface RouteAnswer {
  readonly status: number;
  /** JSON of the body, or of the data in the envelope. */
  readonly json: string;
  /** Present: the answer is sent in the envelope. */
  readonly envelope?: { readonly message: string; readonly warnings: readonly string[] };
}

export type ThreadMessage =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly problem: string }
  | {
      readonly event: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: string;
    }
  | { readonly event: 'problem'; readonly problem: string }
  | { readonly event: 'type'; readonly key: string; readonly regex: string | null };
