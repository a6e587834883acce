import type { Case, CaseMembers, RuleMembers } from './case-api.ts';

/** A member of a case, or of a rule of one. */
export type ConflictMember = keyof CaseMembers | keyof RuleMembers;
type Values = Readonly<Partial<Record<ConflictMember, unknown>>>;

/** A change that was not written, because another person changed the same members meanwhile. */
export class CaseConflict extends Error {
  override readonly name = 'CaseConflict';
  readonly seen: Values;
  readonly change: Values;
  /** The members as they are now. */
  readonly present: Values;
  /** The whole case as it is now. */
  readonly case: Case;
  readonly members: readonly ConflictMember[];

  constructor(values: Pick<CaseConflict, 'seen' | 'change' | 'present' | 'case' | 'members'>) {
    super('Another person changed the same members of the case meanwhile.');
    this.seen = values.seen;
    this.change = values.change;
    this.present = values.present;
    this.case = values.case;
    this.members = values.members;
  }
}

/**
 * Accepts a change whose members are as they were seen, or already as they are wanted.
 * @param present the members as they are now, of the case itself by default
 * @throws CaseConflict
 */
export function assertUnchanged(seen: Values, change: Values, presentCase: Case, present: Values = presentCase): void {
  const members = (Object.keys(change) as ConflictMember[]).filter(
    (member) => !isSame(present[member], seen[member]) && !isSame(present[member], change[member]),
  );
  if (members.length > 0) throw new CaseConflict({ seen, change, present, case: presentCase, members });
}

/** Absent, empty and null members are the same: the service leaves empty ones out of answers. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(filled(one)) === JSON.stringify(filled(other));
}

function filled(value: unknown): unknown {
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? null : value;
}
