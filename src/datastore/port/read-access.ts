import type { QueryNode } from './query-tree.ts';
import { MATCH_ALL } from './query-tree.ts';

/**
 * What a caller may see, as every read takes it. Made in one place (`identity/read-access.ts`) from the caller's classification,
 * or by `unrestricted` where the program itself reads.
 */
export interface ReadAccess {
  /** ANDed to every query of a collection whose documents are classified; ignored on collections that are not. */
  readonly filter: QueryNode;
  /** The same decision on one stored document. */
  admits(document: Readonly<Record<string, unknown>>): boolean;
}

/**
 * Sees everything. `reason` says in a few words why no caller's classification applies here (a job, the login itself, an
 * administrator's by-id read); it is read by people who review the code.
 */
export function unrestricted(reason: string): ReadAccess {
  if (reason === '') throw new Error('unrestricted read access needs a reason');
  return UNRESTRICTED;
}

const UNRESTRICTED: ReadAccess = { filter: MATCH_ALL, admits: () => true };
