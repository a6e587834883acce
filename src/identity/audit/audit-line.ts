import type { AuditEvent } from './audit-log.ts';

/** Callers choose names, user agents and paths; nobody needs more of them to find out who it was. */
const MAX_LENGTH = 256;

/**
 * The line of an event: `log` is always `audit`, then `time` (ISO 8601, UTC), `event`, and what else is known. Texts are cut at 256
 * characters, and `by` is left out when it is the user themselves.
 * @param now milliseconds
 */
export function auditLine(event: AuditEvent, now: number): string {
  const { event: name, by, ...rest } = event;
  const line: Record<string, unknown> = { log: 'audit', time: new Date(now).toISOString(), event: name, ...rest };
  if (by !== event.user) line.by = by;
  return `${JSON.stringify(line, shortened)}\n`;
}

/** A text as it stands in a line; as replacer of `JSON.stringify`. */
export function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
}
