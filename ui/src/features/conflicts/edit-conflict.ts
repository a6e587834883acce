import { isSameStored } from '../../json/equality.ts';
import { memberOf } from '../../json/members.ts';

/** A change that was not written, because another person changed the same members meanwhile. */
export class EditConflict<Values extends object> extends Error {
  override readonly name = 'EditConflict';
  /** The members as the person saw them. */
  readonly seen: Values;
  readonly change: Partial<Values>;
  /** The members as they are now. */
  readonly present: Values;
  /** The members that both changed, and not to the same value. */
  readonly members: readonly (keyof Values & string)[];

  constructor(values: Pick<EditConflict<Values>, 'seen' | 'change' | 'present' | 'members'>) {
    super('Another person changed the same members meanwhile.');
    this.seen = values.seen;
    this.change = values.change;
    this.present = values.present;
    this.members = values.members;
  }
}

/** Returns the members of a change that are neither as they were seen, nor already as they are wanted. */
export function conflictingMembers<Values extends object>(
  seen: Values,
  change: Partial<Values>,
  present: Values,
): readonly (keyof Values & string)[] {
  return (Object.keys(change) as (keyof Values & string)[]).filter((member) => {
    const now = memberOf(present, member);
    return !isSameStored(now, memberOf(seen, member)) && !isSameStored(now, memberOf(change, member));
  });
}
