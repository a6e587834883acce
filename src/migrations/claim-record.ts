import { isObject } from '../documents/schema/plain-objects.ts';
import { readDate } from '../documents/schema/values/date-values.ts';
import { Conflict } from '../errors/errors.ts';

/** A record of the collection `migration`, checked. */
export type ClaimRecord = { readonly startedAt: number; readonly claimId: string | undefined } & (
  | { readonly status: 'running' }
  | { readonly status: 'applied'; readonly appliedAt: number; readonly affectedDocuments: number }
);

/**
 * Reads a stored record, which other programs may have written; null counts as missing.
 * @throws Conflict `migration_record_malformed` for anything that the runner does not write: an operator has to look
 */
export function readClaimRecord(stored: unknown, migrationId: string): ClaimRecord {
  const refuse = (what: string): never => {
    throw new Conflict(
      'migration_record_malformed',
      `The record of the migration ${migrationId} is damaged: ${what}. Look at the document ${migrationId} of the collection migration; correct it, or delete it when the migration is to run again.`,
    );
  };
  if (!isObject(stored)) return refuse('it is not an object');
  const record: Readonly<Record<string, unknown>> = stored;
  const given = (name: string) => record[name] ?? undefined;
  if (record.migration_id !== migrationId) return refuse(`migration_id is ${shown(record.migration_id)}`);
  const { status } = record;
  if (status !== 'running' && status !== 'applied') return refuse(`status is ${shown(status)}`);

  const time = (name: string): number => {
    const value = record[name];
    if (typeof value !== 'string' || !WITH_ZONE.test(value)) {
      return refuse(`${name} is ${shown(value)}, not a time with a zone`);
    }
    try {
      return Date.parse(readDate(value, new Date(0)));
    } catch {
      return refuse(`${name} is ${shown(value)}, not a time`);
    }
  };
  const startedAt = time('started_at');
  const claimId = given('claim_id');
  if (claimId !== undefined && (typeof claimId !== 'string' || claimId === '')) {
    return refuse(`claim_id is ${shown(claimId)}`);
  }
  const affectedDocuments = given('affected_documents');
  if (affectedDocuments !== undefined && !isCount(affectedDocuments)) {
    return refuse(`affected_documents is ${shown(affectedDocuments)}`);
  }
  if (status === 'running') {
    if (given('applied_at') !== undefined || affectedDocuments !== undefined) {
      return refuse('it is running and has applied_at or affected_documents');
    }
    return { status, startedAt, claimId };
  }
  if (given('applied_at') === undefined || affectedDocuments === undefined) {
    return refuse('it is applied and lacks applied_at or affected_documents');
  }
  return { status, startedAt, claimId, appliedAt: time('applied_at'), affectedDocuments };
}

const WITH_ZONE = /^\d{4}-?\d{2}-?\d{2}[T ]\d.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/;

/** Returns true for a number of documents. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? 'missing';
}
