import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { QueryNode } from './query-tree.ts';
import { allOf, anyOf, MATCH_ALL } from './query-tree.ts';

/**
 * The documents that a caller may see; a mandatory argument of every read.
 * Made by `identity/read-access.ts`, or `unrestricted` for the program; applied by `accessFilter` and `admits`.
 */
export interface ReadAccess {
  /** Selects by classification, in collections whose documents are classified. */
  readonly filter: QueryNode;
  /** Decides the same on one stored document. */
  admits(document: Readonly<Record<string, unknown>>): boolean;
  /** The caller, where documents belong to users (`visibleTo`). Undefined: sees those of all users. */
  readonly username: string | undefined;
}

type Definition = Pick<CollectionDefinition<unknown>, 'classificationField' | 'visibleTo'>;

/** The filter that every query of a collection is combined with. */
export function accessFilter({ classificationField, visibleTo }: Definition, access: ReadAccess): QueryNode {
  const { filter, username: value } = access;
  const classified = classificationField === undefined ? MATCH_ALL : filter;
  if (visibleTo === undefined || value === undefined) return classified;
  const shared = Object.entries(visibleTo.everyone).map(([field, each]) => term(field, each));
  return allOf(classified, anyOf(...shared, ...visibleTo.users.map((field) => term(field, value))));
}

/** Decides as `accessFilter` whether the caller may see a stored document. */
export function admits(
  { classificationField, visibleTo }: Definition,
  access: ReadAccess,
  document: Readonly<Record<string, unknown>>,
): boolean {
  if (classificationField !== undefined && !access.admits(document)) return false;
  const { username } = access;
  if (visibleTo === undefined || username === undefined) return true;
  return (
    Object.entries(visibleTo.everyone).some(([field, value]) => document[field] === value) ||
    visibleTo.users.some((field) => [document[field]].flat().includes(username))
  );
}

function term(field: string, value: string): QueryNode {
  return { kind: 'term', field, value };
}

/** Sees everything. `reason` tells reviewers of the code why no caller's access applies here. */
export function unrestricted(reason: string): ReadAccess {
  if (reason === '') throw new Error('unrestricted read access needs a reason');
  return UNRESTRICTED;
}

const UNRESTRICTED: ReadAccess = { filter: MATCH_ALL, admits: () => true, username: undefined };
