import type { DatabaseSync } from 'node:sqlite';
import { NotFound } from '../../../errors/errors.ts';
import { prepared } from './document-database.ts';

export interface CatalogueIndex {
  readonly number: number;
  readonly name: string;
  /** Identifies the definition that its columns are made from. */
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly writeBlocked: boolean;
  readonly lifecyclePolicy: string | undefined;
  readonly rolloverAlias: string | undefined;
  readonly aliases: readonly { readonly name: string; readonly writeIndex: boolean }[];
}

/** All indices, oldest first; plain data that crosses threads. */
export interface IndexCatalogue {
  readonly version: number;
  readonly indices: readonly CatalogueIndex[];
}

export function readCatalogue(database: DatabaseSync): IndexCatalogue {
  const aliases = Map.groupBy(
    database.prepare('SELECT alias, number, write_index FROM aliases ORDER BY alias').all(),
    (row) => Number(row.number),
  );
  const indices = database.prepare('SELECT * FROM indices ORDER BY number').all();
  return {
    version: catalogueVersion(database),
    indices: indices.map((row) => ({
      number: Number(row.number),
      name: String(row.name),
      fingerprint: String(row.fingerprint),
      createdAt: Number(row.created_at),
      writeBlocked: row.write_blocked === 1,
      ...lifecycleOf(row),
      aliases: (aliases.get(Number(row.number)) ?? []).map((alias) => ({
        name: String(alias.alias),
        writeIndex: alias.write_index === 1,
      })),
    })),
  };
}

export function lifecycleOf(row: Record<string, unknown>): Pick<CatalogueIndex, 'lifecyclePolicy' | 'rolloverAlias'> {
  const { lifecycle_policy: policy, rollover_alias: alias } = row;
  return {
    lifecyclePolicy: policy === null ? undefined : String(policy),
    rolloverAlias: alias === null ? undefined : String(alias),
  };
}

export function catalogueVersion(database: DatabaseSync): number {
  return Number(prepared(database, "SELECT value FROM meta WHERE name = 'catalogue'").get()?.value ?? 0);
}

/** The prefix of an index that is still being cloned; it is hidden from callers and has no columns. */
export const UNFINISHED_PREFIX = '\u0001unfinished ';

export function isFinished({ name }: CatalogueIndex): boolean {
  return !name.startsWith(UNFINISHED_PREFIX);
}

/** @throws NotFound `index_missing` */
export function findIndex({ indices }: IndexCatalogue, name: string): CatalogueIndex {
  const index = indices.find((candidate) => candidate.name === name);
  if (!index) throw new NotFound('index_missing', `There is no index ${name}.`);
  return index;
}

/** Returns the indices behind an alias or with that name, oldest first. */
export function indicesOf(catalogue: IndexCatalogue, aliasOrName: string): readonly CatalogueIndex[] {
  const aliased = catalogue.indices.filter((index) => index.aliases.some((alias) => alias.name === aliasOrName));
  return aliased.length > 0 ? aliased : catalogue.indices.filter((index) => index.name === aliasOrName);
}

/** Returns the index that takes new documents: the marked one, or the only one. */
export function writeIndexOf(indices: readonly CatalogueIndex[], alias: string): CatalogueIndex | undefined {
  const marked = indices.find((index) => index.aliases.some((entry) => entry.name === alias && entry.writeIndex));
  return marked ?? (indices.length === 1 ? indices[0] : undefined);
}
