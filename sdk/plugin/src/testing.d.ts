import type { Plugin, Selector } from './index.js';

export interface TestRequest {
  readonly method?: string;
  readonly json?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly text: string;
  /** `api_response` of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any;
  /** `api_error_message` of the answer. */
  readonly message: string | undefined;
}

type Query = Readonly<Record<string, string>>;

export interface StartedPlugin extends AsyncDisposable {
  readonly url: string;
  request(path: string, request?: TestRequest): Promise<TestAnswer>;
  types(): Promise<TestAnswer>;
  lookup(type: string, value: string, query?: Query, request?: TestRequest): Promise<TestAnswer>;
  bulk(selectors: readonly Selector[], query?: Query, request?: TestRequest): Promise<TestAnswer>;
  actions(request?: TestRequest): Promise<TestAnswer>;
  runAction(id: string, body: unknown, request?: TestRequest): Promise<TestAnswer>;
  fetchers(): Promise<TestAnswer>;
  runFetcher(id: string, selector: Selector, request?: TestRequest): Promise<TestAnswer>;
  close(): Promise<void>;
}

/** Starts a plugin on a free port of the loopback. */
export function startPlugin(plugin: Plugin): Promise<StartedPlugin>;
