import { isUnavailable } from '../errors/errors.ts';

interface WarningLog {
  warn(entry: object, message: string): void;
}

/** Milliseconds between two lines that say the same. */
const INTERVAL = 60_000;

/** Logs a message once a minute while coordination is unavailable; `notWritten` counts the rest. */
export class RateLimitedLogger {
  readonly #log: WarningLog;
  readonly #now: () => number;
  readonly #written = new Map<string, { readonly at: number; notWritten: number }>();

  /** @param now milliseconds, any origin */
  constructor(log: WarningLog, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  warn(entry: { readonly err: unknown; readonly [detail: string]: unknown }, message: string): void {
    const last = this.#written.get(message);
    if (!isUnavailable(entry.err)) this.#log.warn(entry, message);
    else if (last !== undefined && this.#now() - last.at < INTERVAL) last.notWritten += 1;
    else {
      this.#written.set(message, { at: this.#now(), notWritten: 0 });
      this.#log.warn(last === undefined ? entry : { ...entry, notWritten: last.notWritten }, message);
    }
  }
}
