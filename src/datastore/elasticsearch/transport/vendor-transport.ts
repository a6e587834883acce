import type { Agent } from 'node:http';

/** The part of a vendor's client that is used: its connections, without JSON, retries and errors. */
export interface VendorTransport {
  /**
   * Sends the request once.
   * Every status is a response.
   * @throws the error of the client if there is no response; `connectionError` of engine-errors.ts interprets it
   */
  send(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bodyKind: 'json' | 'lines';
  readonly signal: AbortSignal;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A server as a vendor's client takes it. */
export interface VendorNode {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
}

/**
 * The clients judge statuses, unless they are told to ignore them: judging is done in one place, for
 * both.
 */
export const EVERY_ERROR_STATUS: number[] = Array.from({ length: 200 }, (_, index) => 400 + index);
/** Requests are ended by their signal; the clients' own time is only there to be longer. */
export const CLIENT_TIMEOUT = 2 ** 31 - 1;
