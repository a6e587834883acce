import { isSameValue } from '../../design/forms/form-state.ts';
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
    return !isEquivalent(now, memberOf(seen, member)) && !isEquivalent(now, memberOf(change, member));
  });
}

/** Compares by content. Absent, null and empty members are the same: services leave empty ones out. */
export function isEquivalent(one: unknown, other: unknown): boolean {
  return isSameValue(filled(one), filled(other));
}

/** Returns a value without its empty members; null for an empty one. */
function filled(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(filled);
  const members = Object.entries(value)
    .map(([name, member]) => [name, filled(member)] as const)
    .filter(([, member]) => member !== null);
  return members.length === 0 ? null : Object.fromEntries(members);
}
