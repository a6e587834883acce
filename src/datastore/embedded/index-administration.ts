import type { DatabaseSync } from 'node:sqlite';
import { Conflict, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { AliasAction } from '../index-admin.ts';
import { createDocumentTable, documentTable } from './document-database.ts';
import { type CatalogueIndex, type IndexCatalogue, indicesOf } from './index-catalogue.ts';
import type { AdminOperation, DefinitionText } from './write-requests.ts';

/** Name of an index that is still being cloned; nobody sees it. */
export const UNFINISHED_PREFIX = '\u0001unfinished ';

type Operation<O extends AdminOperation['op']> = Extract<AdminOperation, { op: O }>;

/**
 * Changes indices, aliases, templates and policies, inside the writer's transaction.
 * @throws Conflict `index_exists`; NotFound `index_missing`, `alias_missing`; InvalidInput `invalid_index_name`
 */
export function applyAdminOperation(
  database: DatabaseSync,
  catalogue: IndexCatalogue,
  operation: AdminOperation,
): void {
  switch (operation.op) {
    case 'create':
      return create(database, catalogue, operation);
    case 'createLike':
      return createLike(database, catalogue, operation);
    case 'publish':
      refuseExisting(catalogue, operation.as);
      database.prepare('UPDATE indices SET name = ? WHERE name = ?').run(operation.as, operation.index);
      return;
    case 'delete':
      return remove(database, requireIndex(catalogue, operation.index));
    case 'blockWrites': {
      const { number } = requireIndex(catalogue, operation.index);
      database.prepare('UPDATE indices SET write_blocked = ? WHERE number = ?').run(operation.blocked ? 1 : 0, number);
      return;
    }
    case 'switchAliases':
      for (const action of operation.actions) switchAlias(database, catalogue, action);
      return;
    case 'define': {
      const { number } = requireIndex(catalogue, operation.index);
      keepDefinition(database, operation.definition);
      database
        .prepare('UPDATE indices SET fingerprint = ? WHERE number = ?')
        .run(operation.definition.fingerprint, number);
      return;
    }
    case 'putTemplate': {
      keepDefinition(database, operation.definition);
      database
        .prepare('INSERT OR REPLACE INTO templates VALUES (?, ?, ?, ?, ?)')
        .run(
          operation.name,
          operation.pattern,
          operation.definition.fingerprint,
          operation.lifecyclePolicy ?? null,
          operation.rolloverAlias ?? null,
        );
      return;
    }
    case 'putLifecyclePolicy':
      database
        .prepare('INSERT OR REPLACE INTO lifecycle_policies VALUES (?, ?)')
        .run(operation.name, JSON.stringify(operation.policy));
      return;
    case 'setLifecycle': {
      const { number } = requireIndex(catalogue, operation.index);
      database
        .prepare('UPDATE indices SET lifecycle_policy = ?, rollover_alias = ? WHERE number = ?')
        .run(operation.policy, operation.rolloverAlias, number);
      return;
    }
    case 'rollOver': {
      createLike(database, catalogue, { op: 'createLike', source: operation.from, target: operation.to });
      const row = database.prepare('SELECT number FROM indices WHERE name = ?').get(operation.to);
      addAlias(database, operation.alias, Number(row?.number), true);
      return;
    }
  }
}

function create(database: DatabaseSync, catalogue: IndexCatalogue, operation: Operation<'create'>): void {
  if (operation.unlessAlias !== undefined && indicesOf(catalogue, operation.unlessAlias).length > 0) return;
  refuseExisting(catalogue, operation.index);
  keepDefinition(database, operation.definition);
  const number = insertIndex(database, {
    name: operation.index,
    fingerprint: operation.definition.fingerprint,
    lifecyclePolicy: operation.lifecyclePolicy,
    rolloverAlias: operation.rolloverAlias,
  });
  for (const { name, writeIndex } of operation.aliases) addAlias(database, name, number, writeIndex ?? false);
}

function createLike(database: DatabaseSync, catalogue: IndexCatalogue, operation: Operation<'createLike'>): void {
  const source = requireIndex(catalogue, operation.source);
  refuseExisting(catalogue, operation.target);
  insertIndex(database, { ...source, name: operation.target });
}

function insertIndex(
  database: DatabaseSync,
  index: Pick<CatalogueIndex, 'name' | 'fingerprint' | 'lifecyclePolicy' | 'rolloverAlias'>,
): number {
  const { lastInsertRowid } = database
    .prepare(
      'INSERT INTO indices (name, fingerprint, created_at, lifecycle_policy, rollover_alias) VALUES (?, ?, ?, ?, ?)',
    )
    .run(index.name, index.fingerprint, Date.now(), index.lifecyclePolicy ?? null, index.rolloverAlias ?? null);
  createDocumentTable(database, Number(lastInsertRowid));
  return Number(lastInsertRowid);
}

function remove(database: DatabaseSync, { number }: CatalogueIndex): void {
  database.exec(`DROP TABLE ${documentTable(number)}`);
  database.prepare('DELETE FROM indices WHERE number = ?').run(number);
}

function switchAlias(database: DatabaseSync, catalogue: IndexCatalogue, action: AliasAction): void {
  const { number } = requireIndex(catalogue, action.index);
  if (action.kind === 'add') {
    if (catalogue.indices.some((index) => index.name === action.alias)) {
      throw new Conflict('index_exists', `${action.alias} is an index and cannot become an alias.`);
    }
    addAlias(database, action.alias, number, action.writeIndex ?? false);
    return;
  }
  const { changes } = database.prepare('DELETE FROM aliases WHERE alias = ? AND number = ?').run(action.alias, number);
  if (Number(changes) === 0 && (action.mustExist ?? true)) {
    throw new NotFound(
      'alias_missing',
      `The alias ${action.alias} is not on the index ${action.index}. Nothing was switched.`,
    );
  }
}

/** An alias has one write index: a new one takes the mark from the old. */
function addAlias(database: DatabaseSync, alias: string, number: number, writeIndex: boolean): void {
  if (writeIndex) database.prepare('UPDATE aliases SET write_index = 0 WHERE alias = ?').run(alias);
  database.prepare('INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)').run(alias, number, writeIndex ? 1 : 0);
}

function keepDefinition(database: DatabaseSync, { fingerprint, body }: DefinitionText): void {
  database.prepare('INSERT OR IGNORE INTO definitions VALUES (?, ?)').run(fingerprint, body);
}

function requireIndex(catalogue: IndexCatalogue, name: string): CatalogueIndex {
  const index = catalogue.indices.find((candidate) => candidate.name === name);
  if (!index) throw new NotFound('index_missing', `There is no index ${name}.`);
  return index;
}

function refuseExisting(catalogue: IndexCatalogue, name: string): void {
  if (name === '') throw new InvalidInput('invalid_index_name', 'The name of an index must not be empty.');
  const taken = catalogue.indices.some(
    (index) => index.name === name || index.aliases.some((alias) => alias.name === name),
  );
  if (taken) throw new Conflict('index_exists', `The index ${name} exists already.`);
}
