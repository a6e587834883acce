import { isConflict, isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import type { AuditOrigin } from './audit-origin.ts';

/** The verified facts about the holder of a refused credential. */
export type CredentialHolder = Pick<AuditEvent, 'user' | 'provider' | 'subject' | 'azp'>;

const holders = new WeakMap<object, CredentialHolder>();

/** Notes the holder of the credential that an error is about, if known. Returns the error. */
export function attributed<E>(error: E, holder: CredentialHolder | undefined): E {
  if (holder && isTriadError(error)) holders.set(error, holder);
  return error;
}

/** Returns the holder that was noted for an error or one of its causes. */
export function holderOf(error: unknown): CredentialHolder | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const holder = holders.get(cause);
    if (holder) return holder;
  }
  return undefined;
}

/**
 * Writes a refused credential to the log and the audit log, with its holder as far as verified. A
 * credential that could not be checked because a dependency is unavailable is in the log only.
 */
export function auditRefusal(
  { log, audit }: { readonly log: Pick<IdentityLog, 'warn'>; readonly audit: AuditLog },
  error: unknown,
  event: Omit<AuditEvent, 'code'>,
): void {
  if (!isTriadError(error)) return;
  const { code, message, cause } = error;
  const { address, requestId } = event;
  const { user, ...holder } = holderOf(error) ?? {};
  // Callers do not learn the cause.
  const reason = cause instanceof Error ? cause.message : undefined;
  log.warn({ code, address, requestId, reason, ...holder }, `authentication refused: ${message}`);
  const account = event.user === undefined && user !== undefined ? { user } : {};
  if (!isUnavailable(error)) audit.write({ ...event, ...holder, ...account, code });
}

/**
 * Creates or changes an API key, and audits a refusal: the caller may be testing how far a key can go.
 * @param user owner of the key
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
    // A key that could not be stored was not refused.
    const isRefusal = !isUnavailable(error) && !isConflict(error);
    if (isRefusal && isTriadError(error)) audit.write({ ...origin, event: 'api_key_refused', user, code: error.code });
    throw error;
  }
}
