import type { Settings } from '../../config/config-schema.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { type AuditLog, type AuditOrigin, tellingRefusedKey } from '../audit/audit-log.ts';
import type { UserStore } from '../user-store.ts';
import { type ApiKeyDetails, type ApiKeyRecord, ownKey } from './api-key-records.ts';

export interface ApiKeyDependencies {
  readonly users: UserStore;
  readonly settings: Settings['auth'];
  readonly audit: AuditLog;
  /** Returns milliseconds; for tests. */
  readonly now?: () => number;
}

/** The new state of an API key. */
interface KeyChange {
  readonly name: string;
  readonly record: ApiKeyRecord;
  /** Default: the analysis service knows nothing more of it. */
  readonly details?: ApiKeyDetails;
  /** Its privileges or roles, for the audit log. */
  readonly after: readonly string[];
}

/** Stores and audits the key that `change` returns, if any, or its refusal; repeats it after conflicts. */
export function changeKey<Change extends KeyChange | undefined>(
  { users, audit }: Pick<ApiKeyDependencies, 'users' | 'audit'>,
  event: 'api_key_created' | 'api_key_changed',
  username: string,
  origin: AuditOrigin,
  change: (user: User | undefined) => Change,
): Promise<Change> {
  const store = async () => {
    const stored = await users.getVersioned(username);
    const changed = change(stored?.document);
    if (stored === undefined || changed === undefined) return changed;
    const { name, record, details, after } = changed;
    const operations: readonly UpdateOperation[] = [
      { op: 'set', path: `apikeys.${name}`, value: record },
      // An older key of this name, which the public alert service removed, may have left details.
      details === undefined
        ? { op: 'remove_at', path: 'key_details', key: name }
        : { op: 'set', path: `key_details.${name}`, value: details },
    ];
    await users.update(username, operations, { ifVersion: stored.version });
    audit.write({ ...origin, event, user: username, key: name, after });
    return changed;
  };
  return tellingRefusedKey(audit, origin, username, () => retryOnConflict(store));
}

/** Revokes a key at once in this process, within a second in others. Returns whether there was one. */
export function revokeKey(
  { users, audit }: Pick<ApiKeyDependencies, 'users' | 'audit'>,
  username: string,
  name: string,
  origin: AuditOrigin,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const stored = await users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return false;
    const operations = ['apikeys', 'key_details'].map((path) => ({ op: 'remove_at', path, key: name }) as const);
    await users.update(username, operations, { ifVersion: stored.version });
    audit.write({ ...origin, event: 'api_key_revoked', user: username, key: name });
    return true;
  });
}

/** Rejects a key with rights beyond the requesting credential. @throws Forbidden `privilege_not_held` */
export function assertNoneBeyond(beyond: readonly string[]): void {
  if (beyond.length === 0) return;
  throw new Forbidden(
    'privilege_not_held',
    `The credential that you use does not have ${beyond.join(', ')} itself, so it cannot make a key that has.`,
  );
}

const UNIT_MILLISECONDS = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
} as const;

/**
 * Returns when a new API key expires; undefined: never.
 * @param value ISO 8601; without a zone it is UTC. Null and empty count as missing.
 * @param endsBefore milliseconds of a limit in addition to the settings; undefined: no such limit
 * @throws InvalidInput `invalid_api_key_expiry`, also when the settings limit the life of keys and this is longer or endless
 */
export function readKeyExpiry(
  value: unknown,
  { settings, now = Date.now }: Pick<ApiKeyDependencies, 'settings' | 'now'>,
  at: string,
  endsBefore: number | undefined,
): Date | undefined {
  const { max_apikey_duration_amount: amount, max_apikey_duration_unit: unit } = settings;
  const limits = [amount && unit ? now() + amount * UNIT_MILLISECONDS[unit] : undefined, endsBefore];
  const latest = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
  if (value === undefined || value === null || value === '') {
    if (latest === Number.POSITIVE_INFINITY) return undefined;
    throw new InvalidInput('invalid_api_key_expiry', 'API keys must have an expiry date.', { at });
  }
  const expiry = typeof value === 'string' ? parseDate(value) : undefined;
  if (expiry === undefined) {
    throw new InvalidInput('invalid_api_key_expiry', 'Invalid expiry date format. Please use ISO format.', { at });
  }
  if (latest < expiry.getTime()) {
    const message = `Expiry date must be before ${new Date(latest).toISOString()}.`;
    throw new InvalidInput('invalid_api_key_expiry', message, { at });
  }
  return expiry;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns undefined when the string is not a date in ISO 8601. */
function parseDate(text: string): Date | undefined {
  const match = ISO_DATE.exec(text);
  if (!match) return undefined;
  const date = new Date(match[1] === undefined && text.length > 10 ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
