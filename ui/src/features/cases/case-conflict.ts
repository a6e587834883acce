import type { Case, CaseMembers } from './case-api.ts';

type Member = keyof CaseMembers;

/** A change that was not written, because another person changed the same members meanwhile. */
export class CaseConflict extends Error {
  override readonly name = 'CaseConflict';
  readonly seen: CaseMembers;
  readonly change: CaseMembers;
  readonly present: Case;
  readonly members: readonly Member[];

  constructor(seen: CaseMembers, change: CaseMembers, present: Case, members: readonly Member[]) {
    super('Another person changed the same members of the case meanwhile.');
    this.seen = seen;
    this.change = change;
    this.present = present;
    this.members = members;
  }
}

/**
 * Accepts a change whose members are as they were seen, or already as they are wanted.
 * @throws CaseConflict
 */
export function assertUnchanged(seen: CaseMembers, change: CaseMembers, present: Case): void {
  const members = (Object.keys(change) as Member[]).filter(
    (member) => !isSame(present[member], seen[member]) && !isSame(present[member], change[member]),
  );
  if (members.length > 0) throw new CaseConflict(seen, change, present, members);
}

/** Absent, empty and null members are the same: the service leaves empty ones out of answers. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(filled(one)) === JSON.stringify(filled(other));
}

function filled(value: unknown): unknown {
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? null : value;
}
