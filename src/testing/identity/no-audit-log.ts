import type { AuditLog } from '../../identity/audit/audit-log.ts';

/** For tests that ask nothing of the security events. */
export const NO_AUDIT_LOG: AuditLog = { write: () => {} };
