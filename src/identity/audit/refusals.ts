import { isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';

export interface RefusalDependencies {
  readonly log: Pick<IdentityLog, 'warn'>;
  readonly audit: AuditLog;
}

/**
 * Tells the log and the audit log that somebody was not let in, and why. What could not be checked, because something is unavailable, was
 * not refused: it is in the log alone.
 */
export function auditRefusal(
  { log, audit }: RefusalDependencies,
  error: unknown,
  event: Omit<AuditEvent, 'code'>,
): void {
  if (!isTriadError(error)) return;
  const { code, message, cause } = error;
  const { address, requestId } = event;
  // What callers are not told.
  const reason = cause instanceof Error ? cause.message : undefined;
  log.warn({ code, address, requestId, reason }, `authentication refused: ${message}`);
  if (!isUnavailable(error)) audit.write({ ...event, code });
}
