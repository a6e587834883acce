import type { IndexAdmin, IndexInfo } from '../port/index-admin.ts';
import { lifecycleNames } from './lifecycle-settings.ts';

export interface CollectionIndices {
  readonly alias: string;
  /** `<alias>-000001` and so on, oldest first. */
  readonly generations: readonly IndexInfo[];
  /** `<alias>_hot`. */
  readonly hot: IndexInfo | undefined;
  /** An index that has the very name of the alias. */
  readonly bare: IndexInfo | undefined;
  readonly behindAlias: readonly IndexInfo[];
  /** Another process sets the indices up, or was interrupted while it did. */
  readonly isLocked: boolean;
}

const GENERATION = /^-\d{6,}$/;

export async function readCollectionIndices(admin: IndexAdmin, alias: string): Promise<CollectionIndices> {
  // The alias may be on an index of another name while a reindex is unfinished.
  return groupIndices(await admin.list(`${admin.prefix}-*`), alias);
}

/** Returns the indices of one collection, of all indices of the installation. */
export function groupIndices(all: readonly IndexInfo[], alias: string): CollectionIndices {
  const names = lifecycleNames(alias);
  return {
    alias,
    generations: all
      .filter(({ name }) => name.startsWith(alias) && GENERATION.test(name.slice(alias.length)))
      .toSorted((a, b) => numberOf(alias, a) - numberOf(alias, b)),
    hot: all.find(({ name }) => name === names.legacy),
    bare: all.find(({ name }) => name === alias),
    behindAlias: all.filter((index) => carries(index, alias)),
    isLocked: all.some(({ name }) => name === names.lock),
  };
}

export function carries(index: IndexInfo, alias: string): boolean {
  return index.aliases.some(({ name }) => name === alias);
}

export function isMarkedForWriting(index: IndexInfo, alias: string): boolean {
  return index.aliases.some(({ name, writeIndex }) => name === alias && writeIndex);
}

function numberOf(alias: string, { name }: IndexInfo): number {
  return Number(name.slice(alias.length + 1));
}
