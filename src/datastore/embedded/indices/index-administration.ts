import type { DatabaseSync } from 'node:sqlite';
import { Conflict, InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { AliasAction } from '../../port/index-admin.ts';
import { globExpression } from '../../semantics/glob.ts';
import { createDocumentTable, documentTable } from '../documents/document-database.ts';
import type { AdminOperation, DefinitionText } from '../documents/write-requests.ts';
import { type CatalogueIndex, type IndexCatalogue, indicesOf } from './index-catalogue.ts';

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
  const apply = OPERATIONS[operation.op] as Apply<AdminOperation>;
  apply(database, catalogue, operation);
}

type Apply<O extends AdminOperation> = (database: DatabaseSync, catalogue: IndexCatalogue, operation: O) => void;

const OPERATIONS: { readonly [O in AdminOperation['op']]: Apply<Operation<O>> } = {
  create,
  createLike,
  publish(database, catalogue, { index, as, source }) {
    rejectExisting(catalogue, as);
    const size = database.prepare('SELECT documents, bytes FROM indices WHERE name = ?').get(source);
    database
      .prepare('UPDATE indices SET documents = ?, bytes = ? WHERE name = ?')
      .run(size?.documents ?? 0, size?.bytes ?? 0, index);
    database.prepare('UPDATE indices SET name = ? WHERE name = ?').run(as, index);
  },
  rename(database, catalogue, { index, name }) {
    const { number } = requireIndex(catalogue, index);
    rejectExisting(catalogue, name);
    database.prepare('UPDATE indices SET name = ? WHERE number = ?').run(name, number);
  },
  delete(database, catalogue, { index }) {
    dropIndex(database, catalogue, index);
  },
  blockWrites(database, catalogue, { index, blocked }) {
    const { number } = requireIndex(catalogue, index);
    database.prepare('UPDATE indices SET write_blocked = ? WHERE number = ?').run(blocked ? 1 : 0, number);
  },
  switchAliases(database, catalogue, { actions }) {
    const deleted = actions.flatMap((action) => (action.kind === 'delete_index' ? [action.index] : []));
    for (const index of deleted) dropIndex(database, catalogue, index);
    const left = { ...catalogue, indices: catalogue.indices.filter(({ name }) => !deleted.includes(name)) };
    for (const action of actions) if (action.kind !== 'delete_index') switchAlias(database, left, action);
  },
  define(database, catalogue, { index, definition }) {
    const { number } = requireIndex(catalogue, index);
    keepDefinition(database, definition);
    database.prepare('UPDATE indices SET fingerprint = ? WHERE number = ?').run(definition.fingerprint, number);
  },
  putTemplate(database, _catalogue, { name, pattern, definition, lifecyclePolicy, rolloverAlias }) {
    keepDefinition(database, definition);
    database
      .prepare('INSERT OR REPLACE INTO templates VALUES (?, ?, ?, ?, ?)')
      .run(name, pattern, definition.fingerprint, lifecyclePolicy ?? null, rolloverAlias ?? null);
  },
  putLifecyclePolicy(database, _catalogue, { name, policy }) {
    database.prepare('INSERT OR REPLACE INTO lifecycle_policies VALUES (?, ?)').run(name, JSON.stringify(policy));
  },
  setLifecycle(database, catalogue, { index, policy, rolloverAlias }) {
    const { number } = requireIndex(catalogue, index);
    database
      .prepare('UPDATE indices SET lifecycle_policy = ?, rollover_alias = ? WHERE number = ?')
      .run(policy, rolloverAlias, number);
  },
  rollOver(database, catalogue, { alias, from, to }) {
    rejectExisting(catalogue, to);
    const number = insertIndex(database, { ...requireIndex(catalogue, from), ...templateFor(database, to), name: to });
    addAlias(database, alias, number, true);
  },
};

function create(database: DatabaseSync, catalogue: IndexCatalogue, operation: Operation<'create'>): void {
  if (operation.unlessAlias !== undefined && indicesOf(catalogue, operation.unlessAlias).length > 0) return;
  rejectExisting(catalogue, operation.index);
  keepDefinition(database, operation.definition);
  const template = templateFor(database, operation.index);
  const number = insertIndex(database, {
    name: operation.index,
    fingerprint: operation.definition.fingerprint,
    lifecyclePolicy: operation.lifecyclePolicy ?? template?.lifecyclePolicy,
    rolloverAlias: operation.rolloverAlias ?? template?.rolloverAlias,
  });
  for (const { name, writeIndex } of operation.aliases) addAlias(database, name, number, writeIndex ?? false);
}

function createLike(database: DatabaseSync, catalogue: IndexCatalogue, operation: Operation<'createLike'>): void {
  const source = requireIndex(catalogue, operation.source);
  rejectExisting(catalogue, operation.target);
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

/** What the template says whose pattern fits the name; of several the one with the longest pattern. */
function templateFor(
  database: DatabaseSync,
  name: string,
): Pick<CatalogueIndex, 'fingerprint' | 'lifecyclePolicy' | 'rolloverAlias'> | undefined {
  const rows = database.prepare('SELECT * FROM templates ORDER BY length(pattern) DESC, name').all();
  const row = rows.find(({ pattern }) => globExpression(String(pattern)).test(name));
  return (
    row && {
      fingerprint: String(row.fingerprint),
      lifecyclePolicy: row.lifecycle_policy === null ? undefined : String(row.lifecycle_policy),
      rolloverAlias: row.rollover_alias === null ? undefined : String(row.rollover_alias),
    }
  );
}

function dropIndex(database: DatabaseSync, catalogue: IndexCatalogue, index: string): void {
  const { number } = requireIndex(catalogue, index);
  database.exec(`DROP TABLE ${documentTable(number)}`);
  database.prepare('DELETE FROM indices WHERE number = ?').run(number);
}

function switchAlias(
  database: DatabaseSync,
  catalogue: IndexCatalogue,
  action: Exclude<AliasAction, { kind: 'delete_index' }>,
): void {
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

function rejectExisting(catalogue: IndexCatalogue, name: string): void {
  if (name === '') throw new InvalidInput('invalid_index_name', 'The name of an index must not be empty.');
  const taken = catalogue.indices.some(
    (index) => index.name === name || index.aliases.some((alias) => alias.name === name),
  );
  if (taken) throw new Conflict('index_exists', `The index ${name} exists already.`);
}
