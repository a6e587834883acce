import type { Settings } from '../../config/config-schema.ts';
import type { Privilege } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { UserStore } from '../user-store.ts';
import { storedDate } from './api-key-expiry.ts';
import type { ApiKeyRecord } from './api-key-records.ts';
import { hashApiKeySecret, newApiKeySecret } from './api-key-secret.ts';

/** What makes API keys, at whichever service. */
export interface ApiKeyMakerDependencies {
  readonly users: UserStore;
  readonly settings: Settings['auth'];
  readonly audit: AuditLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** A secret that nobody had before, and what is stored of a key that has it. @param expiry undefined: never */
export function newKey(
  acl: readonly Privilege[],
  expiry: Date | undefined,
  agents: readonly string[] = [],
): { readonly secret: string; readonly record: ApiKeyRecord } {
  const secret = newApiKeySecret();
  return {
    secret,
    record: { acl: [...acl], ...expiryRecord(expiry), agents: [...agents], password: hashApiKeySecret(secret) },
  };
}

/** As it stands in the record of a key. @param expiry undefined: never */
export function expiryRecord(expiry: Date | undefined): Pick<ApiKeyRecord, 'expiry_date'> {
  return expiry === undefined ? {} : { expiry_date: storedDate(expiry) };
}
