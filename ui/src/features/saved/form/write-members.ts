import { isSameValue } from '../../../json/equality.ts';
import { conflictingMembers, EditConflict } from '../../conflicts/edit-conflict.ts';
import { atPresentVersion, type Versioned, type VersionHeaders } from '../../conflicts/present-version.ts';

/** An object of a kind: reads and writes it, and returns the values of its form. */
export interface SavedObject<Stored, Values extends object> {
  readonly valuesOf: (stored: Stored) => Values;
  readonly read: () => Promise<Versioned<Stored>>;
  /** Writes values that differ from the present ones to the version of the headers. */
  readonly write: (wanted: Values, present: Values, headers: VersionHeaders) => Promise<Stored>;
}

interface MemberChange<Values extends object> {
  /** The values as the person saw them. */
  readonly seen: Values;
  /** The members that the person changed. */
  readonly change: Partial<Values>;
  /** True writes over what another person wrote to the same members. */
  readonly overwrites: boolean;
}

/**
 * Writes members of the present version of an object, and keeps what others changed in further ones.
 * @throws EditConflict where another person changed the same members to other values since they were seen
 */
export function writeMembers<Stored, Values extends object>(
  { valuesOf, read, write }: SavedObject<Stored, Values>,
  { seen, change, overwrites }: MemberChange<Values>,
): Promise<Stored> {
  return atPresentVersion(read, async (stored, headers) => {
    const present = valuesOf(stored);
    const members = overwrites ? [] : conflictingMembers(seen, change, present);
    if (members.length > 0) throw new EditConflict({ seen, change, present, members });
    const wanted = { ...present, ...change };
    return isSameValue(wanted, present) ? stored : write(wanted, present, headers);
  });
}
