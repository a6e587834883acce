import { Conflict, InvalidInput } from '../../errors/errors.ts';

/** Opaque `<seq_no>---<primary_term>`; in a rolled-over index `<index>---<seq>---<term>`. */
export type Version = string;
/** Version of a document that is not there. */
export const ABSENT: Version = 'create';

/** The location of a version of a document. */
export interface DocumentPlace {
  readonly index: string;
  /** Grows with every write of its shard. */
  readonly seq: number | bigint;
  /** Grows when another node takes the shard over. Default 1. */
  readonly term?: number | bigint;
}

const VERSION = /^(?:(?<index>.+)---)?(?<seq>\d{1,19})---(?<term>\d{1,19})$/s;
/** An index that rollover made: its name stands in front of the versions of its documents. */
const GENERATION = /-\d{6}$/;

/** `<seq>---<term>`, or `<index>---<seq>---<term>` in an index that rollover made. */
export function versionOf({ index, seq, term = 1 }: DocumentPlace): Version {
  const version = `${seq}---${term}`;
  return isGeneration(index) ? `${index}---${version}` : version;
}

export function isGeneration(index: string): boolean {
  return GENERATION.test(index);
}

/** Returns the parts, `index` of a rolled-over one; throws `invalid_version`, also for `ABSENT`. */
export function readVersion(version: Version, target: string) {
  const { index, seq, term } = VERSION.exec(version)?.groups ?? {};
  if (seq !== undefined && term !== undefined) return { index, seq, term };
  throw new InvalidInput('invalid_version', `Invalid version token for ${target}: '${version}'`);
}

/** Throws `version_conflict`, `already_exists` or `invalid_version` unless the condition is met. */
export function checkVersion(
  expected: Version | undefined,
  present: DocumentPlace | undefined,
  target: string,
  id: string,
): void {
  if (expected === undefined) return;
  if (expected === ABSENT) {
    if (present) throw alreadyExists(target, id);
    return;
  }
  readVersion(expected, target);
  const now = present && versionOf(present);
  if (now !== expected) throw versionConflict(target, id, expected, now);
}

export function alreadyExists(target: string, id: string): Conflict {
  return new Conflict('already_exists', `${target}: the document ${id} exists already.`);
}

/** `present`: the current version; undefined: the document is missing; null: unknown. */
export function versionConflict(
  target: string,
  id: string,
  expected: Version,
  present: Version | undefined | null,
): Conflict {
  const now = present === null ? 'changed meanwhile' : present === undefined ? 'is missing' : `has version ${present}`;
  const message = `${target}: the document ${id} ${now}: it is not at version ${expected}. Read it again and repeat.`;
  return new Conflict('version_conflict', message);
}
