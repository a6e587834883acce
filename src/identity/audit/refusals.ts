import { isConflict, isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import type { AuditOrigin } from './audit-origin.ts';

export interface RefusalDependencies {
  readonly log: Pick<IdentityLog, 'warn'>;
  readonly audit: AuditLog;
}

/** The verified facts about the holder of a refused credential. */
export type CredentialHolder = Pick<AuditEvent, 'user' | 'provider' | 'subject' | 'azp'>;

const holders = new WeakMap<object, CredentialHolder>();

/** Notes whose credential an error is about, if known. Returns the error, to be thrown. */
export function attributed<E>(error: E, holder: CredentialHolder | undefined): E {
  if (holder && isTriadError(error)) holders.set(error, holder);
  return error;
}

/** Returns the holder that was noted of an error or of one of its causes. */
export function holderOf(error: unknown): CredentialHolder | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const holder = holders.get(cause);
    if (holder) return holder;
  }
  return undefined;
}

/**
 * Writes a refused credential to the log and the audit log, with its holder as far as verified. What could not be checked, because something is
 * unavailable, was not refused: it is in the log alone.
 */
export function auditRefusal(
  { log, audit }: RefusalDependencies,
  error: unknown,
  event: Omit<AuditEvent, 'code'>,
): void {
  if (!isTriadError(error)) return;
  const { code, message, cause } = error;
  const { address, requestId } = event;
  const { user, ...holder } = holderOf(error) ?? {};
  // What callers are not told.
  const reason = cause instanceof Error ? cause.message : undefined;
  log.warn({ code, address, requestId, reason, ...holder }, `authentication refused: ${message}`);
  const account = event.user === undefined && user !== undefined ? { user } : {};
  if (!isUnavailable(error)) audit.write({ ...event, ...holder, ...account, code });
}

/**
 * Makes or changes an API key. When that is refused the audit log has it: somebody may be trying how far a key can go.
 * @param user whose key it would be
 */
export async function tellingRefusedKey<T>(
  audit: AuditLog,
  origin: AuditOrigin,
  user: string,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    const code = isTriadError(error) ? error.code : undefined;
    // What could not be stored was not refused.
    const isRefusal = code !== undefined && !isUnavailable(error) && !isConflict(error);
    if (isRefusal) audit.write({ ...origin, event: 'api_key_refused', user, code });
    throw error;
  }
}
