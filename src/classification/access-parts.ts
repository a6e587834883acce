/** The hidden fields of a classified document, from which searches decide who may see it. */
export interface AccessParts {
  readonly __access_lvl__: number;
  readonly __access_req__: readonly string[];
  /** `['__EMPTY__']` where no group is named, so that a query can ask for that. */
  readonly __access_grp1__: readonly string[];
  readonly __access_grp2__: readonly string[];
}

/** Stands in an index for "no group". */
export const NO_GROUP = '__EMPTY__';
