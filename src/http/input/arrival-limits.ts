import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface ArrivalRules {
  /** Milliseconds in which a request has to arrive completely. */
  readonly total: number;
  /** Milliseconds without a byte after which a streamed body is given up. */
  readonly silence: number;
  /** Bytes of a streamed body that extend its time by one second. */
  readonly bytesPerSecond: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
}

const RULES: ArrivalRules = { total: 120_000, silence: 60_000, bytesPerSecond: 16_384, interval: 5000 };

interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly since: number;
  readonly before: number;
  bytes: number;
  movedAt: number;
  isStream: boolean;
  isLate: boolean;
}

/**
 * Ends requests whose body arrives too slowly.
 * A body that the server collects has to arrive within a fixed time. One that streams may take as long as it keeps
 * moving, because its size has no limit here: it ends when no byte comes for a while, or fewer than a lowest rate.
 * Time in which the server itself does not read does not count as silence.
 */
export class ArrivalLimits {
  readonly #rules: ArrivalRules;
  readonly #now: () => number;
  readonly #arrivals = new Map<IncomingMessage, Arrival>();
  #timer: NodeJS.Timeout | undefined;

  constructor(rules: Partial<ArrivalRules> = {}, now: () => number = () => performance.now()) {
    this.#rules = { ...RULES, ...rules };
    this.#now = now;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Limits a request that begins; called again for the same one it does nothing. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    // Requests that a test injects have no socket.
    if (!(socket instanceof Socket) || this.#arrivals.has(request)) return;
    const now = this.#now();
    const bytes = socket.bytesRead;
    const counts = { since: now, before: bytes, bytes, movedAt: now };
    this.#arrivals.set(request, { request, response, socket, ...counts, isStream: false, isLate: false });
    request.once('close', () => this.#arrivals.delete(request));
    this.#timer ??= setInterval(() => this.look(), this.#rules.interval).unref();
  }

  /** Lets a request take longer than the fixed time, as long as its body keeps moving. */
  stream(request: IncomingMessage): void {
    const arrival = this.#arrivals.get(request);
    if (arrival !== undefined) arrival.isStream = true;
  }

  /** Looks once at all bodies that are arriving. */
  look(): void {
    const now = this.#now();
    for (const arrival of this.#arrivals.values()) {
      const { request, response, socket } = arrival;
      if (request.complete || socket.destroyed) this.#arrivals.delete(request);
      else if (arrival.isLate) socket.destroy();
      else if (this.#isLate(arrival, now)) {
        arrival.isLate = true;
        if (response.headersSent) socket.destroy();
        else serverOf(socket)?.emit('clientError', timeoutError(), socket);
      }
    }
    if (this.#arrivals.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #isLate(arrival: Arrival, now: number): boolean {
    const { request, socket, since, before, isStream } = arrival;
    const { total, silence, bytesPerSecond } = this.#rules;
    if (!isStream) return now - since > total;
    // What has arrived and waits here for its reader is not the fault of the sender.
    if (socket.bytesRead > arrival.bytes || request.readableLength > 0) {
      arrival.bytes = socket.bytesRead;
      arrival.movedAt = now;
      // A reader that is slow lowers the rate, too.
      if (request.readableLength > 0) return false;
    }
    const allowed = total + ((arrival.bytes - before) / bytesPerSecond) * 1000;
    return now - arrival.movedAt > silence || now - since > allowed;
  }
}

/** Node notes the server of each connection; one name may have several, for IPv4 and IPv6. */
function serverOf(socket: Socket & { readonly server?: Server }): Server | undefined {
  return socket.server;
}

function timeoutError(): Error {
  return Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
