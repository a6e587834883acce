import { Conflict, InvalidInput } from '../../errors/errors.ts';
import { ABSENT } from '../collection.ts';

const PRIMARY_TERM = '1';
const VERSION = /^(?:(?<index>.+)---)?(?<seq>\d{1,16})---1$/;
/** An index that rollover made: its name stands in front of the versions of its documents. */
const GENERATION = /-\d{6}$/;

/** `<seq>---1`, or `<index>---<seq>---1` in an index that rollover made. */
export function versionOf(index: string, seq: number): string {
  const version = `${seq}---${PRIMARY_TERM}`;
  return GENERATION.test(index) ? `${index}---${version}` : version;
}

/**
 * Refuses a write whose condition the present document does not meet.
 * @throws Conflict `version_conflict`, `already_exists`; InvalidInput `invalid_version`, when the text is no version
 */
export function checkVersion(
  expected: string | undefined,
  present: { readonly index: string; readonly seq: number } | undefined,
  target: string,
  id: string,
): void {
  if (expected === undefined) return;
  if (expected === ABSENT) {
    if (present) throw new Conflict('already_exists', `${target}: the document ${id} exists already.`);
    return;
  }
  if (!VERSION.test(expected)) {
    throw new InvalidInput('invalid_version', `Invalid version token for ${target}: '${expected}'`);
  }
  if (present === undefined || versionOf(present.index, present.seq) !== expected) {
    const now = present === undefined ? 'is missing' : `has version ${versionOf(present.index, present.seq)}`;
    throw new Conflict(
      'version_conflict',
      `${target}: the document ${id} ${now}, not ${expected}. Read it again and repeat.`,
    );
  }
}
