/** A request of a recorded conversation; see the README of the recordings. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** `idp`: it goes to the scripted identity provider. */
  readonly server?: 'idp';
}

export interface RecordedStep {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  readonly capture?: Readonly<Record<string, string>>;
  readonly check?: boolean;
  readonly accident?: boolean;
}

export interface RecordedResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly location?: { readonly path: string; readonly query: Readonly<Record<string, unknown>> };
}

export interface ReplayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Values of placeholders by name. */
export type ReplayValues = Record<string, unknown>;

export function send(base: string, request: RecordedRequest, values: ReplayValues): Promise<ReplayedAnswer>;
/** Null: the answer is as recorded; else what differs. Placeholders that the answer binds are added to `values`. */
export function judge(step: RecordedStep, answer: ReplayedAnswer, values: ReplayValues): string | null;
/** A captured value: `$.json.path`, `$headers.name`, `$cookies.name` or `$location.parameter`. */
export function grab(answer: ReplayedAnswer, path: string): unknown;
