import type { Refusal } from './error-status.ts';

/** A failure, as the caller gets it. */
export interface Failure extends Omit<Refusal, 'retryAfter'> {
  readonly warnings: readonly string[];
}

/** The envelope of every JSON answer of a service, as JSON text. */
export interface Envelope {
  /** `data` undefined: the service's plain success. */
  success(data: unknown, status: number, warnings: readonly string[]): string;
  failure(failure: Failure): string;
}

/** Statuses that never have a body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

export type JsonSchema = { readonly [keyword: string]: unknown };
