/** A step of a recorded conversation; see the README of the recordings. */
export interface RecordedStep {
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly status: number };
  readonly capture?: Readonly<Record<string, string>>;
  readonly check?: boolean;
  readonly eventually?: boolean | number;
  readonly decode?: string;
}

export interface ReplayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Values of placeholders by name. */
export type ReplayValues = Record<string, unknown>;
/** Cookies by name. */
export type CookieJar = Record<string, string>;

export function steps(path: string): string[];
export function pick(value: unknown, path: readonly string[]): unknown;
export function fill<T>(value: T, values: ReplayValues): T;
export function send(
  base: string,
  request: RecordedStep['request'],
  values: ReplayValues,
  jar: CookieJar,
  decode: string | null | undefined,
): Promise<ReplayedAnswer>;
/** Null: as recorded; otherwise what differs. Adds placeholders that it met to `values`. */
export function judge(step: RecordedStep, answer: ReplayedAnswer, values: ReplayValues): string | null;
