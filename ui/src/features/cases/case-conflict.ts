import { conflictingMembers, EditConflict } from '../conflicts/edit-conflict.ts';
import type { Case, CaseMembers, RuleMembers, TaskMembers } from './case-api.ts';

/** A member of a case, or of a rule, a task or an item of one. */
export type ConflictMember = keyof CaseMembers | keyof RuleMembers | keyof TaskMembers | 'value';
type Values = Readonly<Partial<Record<ConflictMember, unknown>>>;

/** A change of a case that was not written, because another person changed the same members meanwhile. */
export class CaseConflict extends EditConflict<Values> {
  /** The whole case as it is now. */
  readonly case: Case;

  constructor(values: Pick<CaseConflict, 'seen' | 'change' | 'present' | 'case' | 'members'>) {
    super(values);
    this.case = values.case;
  }
}

/**
 * Accepts a change whose members are as they were seen, or already as they are wanted.
 * @param present the members as they are now, of the case itself by default
 * @throws CaseConflict
 */
export function assertUnchanged(seen: Values, change: Values, presentCase: Case, present: Values = presentCase): void {
  const members = conflictingMembers(seen, change, present);
  if (members.length > 0) throw new CaseConflict({ seen, change, present, case: presentCase, members });
}
