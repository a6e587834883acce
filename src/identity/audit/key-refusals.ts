import { isConflict, isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditOrigin } from './audit-origin.ts';

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
