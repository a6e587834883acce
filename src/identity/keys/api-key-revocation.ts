import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditOrigin } from '../audit/audit-origin.ts';
import type { UserStore } from '../user-store.ts';
import { keyRemoval, ownKey } from './api-key-records.ts';

export interface KeyRevocationDependencies {
  readonly users: Pick<UserStore, 'getVersioned' | 'update'>;
  readonly audit: AuditLog;
}

/** Revokes an API key: it is void at once in this process, within a second in others. False: there was none of this name. */
export function revokeKey(
  { users, audit }: KeyRevocationDependencies,
  username: string,
  name: string,
  origin: AuditOrigin,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const stored = await users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return false;
    await users.update(username, keyRemoval(name), { ifVersion: stored.version });
    audit.write({ ...origin, event: 'api_key_revoked', user: username, key: name });
    return true;
  });
}
