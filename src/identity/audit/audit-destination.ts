import type { IdentityLog } from '../identity-log.ts';

export interface AuditLogDependencies {
  /** Gets the events that could not be written, and why. */
  readonly log: Pick<IdentityLog, 'error'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Where lines go, many at a time. */
export interface AuditDestination {
  /** Whole lines, each with its line feed. Neither throws nor waits. */
  write(lines: string): void;
  /** Writes what is still waiting before the process ends, without the event loop. */
  writeAtExit(lines: string): void;
  close(): Promise<void>;
}
