import type { DatabaseSync } from 'node:sqlite';
import { Conflict, InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { AliasAction, IndexAdmin, LifecycleOptions } from '../../port/index-admin.ts';
import { globExpression } from '../../semantics/glob.ts';
import { createDocumentTable, documentTable } from './document-database.ts';
import { type CatalogueIndex, findIndex, type IndexCatalogue, indicesOf, lifecycleOf } from './index-catalogue.ts';
import type { StoredDefinition } from './stored-definitions.ts';

type CreateOptions = NonNullable<Parameters<IndexAdmin['create']>[2]> & {
  /** An alias that must not exist yet; when it does, nothing is created. */
  readonly unlessAlias?: string;
};

export type IndexChange = keyof IndexChanges;

/**
 * Changes indices, aliases and templates inside the transaction of the writer.
 * The methods throw Conflict `index_exists`, NotFound `index_missing` or `alias_missing`, and InvalidInput
 * `invalid_index_name`.
 */
export class IndexChanges {
  readonly #database: DatabaseSync;
  readonly #catalogue: IndexCatalogue;

  constructor(database: DatabaseSync, catalogue: IndexCatalogue) {
    this.#database = database;
    this.#catalogue = catalogue;
  }

  create(index: string, definition: StoredDefinition, options: CreateOptions = {}): void {
    const { aliases = [], unlessAlias } = options;
    if (unlessAlias !== undefined && indicesOf(this.#catalogue, unlessAlias).length > 0) return;
    this.#rejectExisting(index);
    this.#keepDefinition(definition);
    const template = this.#templateFor(index);
    const number = this.#insert({
      name: index,
      fingerprint: definition.fingerprint,
      lifecyclePolicy: options.lifecyclePolicy ?? template?.lifecyclePolicy,
      rolloverAlias: options.rolloverAlias ?? template?.rolloverAlias,
    });
    for (const { name, writeIndex } of aliases) this.#addAlias(name, number, writeIndex ?? false);
  }

  createLike(source: string, target: string): void {
    const like = findIndex(this.#catalogue, source);
    this.#rejectExisting(target);
    this.#insert({ ...like, name: target });
  }

  rename(index: string, name: string): void {
    findIndex(this.#catalogue, index);
    this.#rejectExisting(name);
    this.#set(index, { name });
  }

  delete(index: string): void {
    const { number } = findIndex(this.#catalogue, index);
    this.#database.exec(`DROP TABLE ${documentTable(number)}`);
    this.#run('DELETE FROM indices WHERE number = ?', number);
  }

  blockWrites(index: string, isBlocked: boolean): void {
    this.#set(index, { write_blocked: isBlocked ? 1 : 0 });
  }

  /** Deletes indices first: their names are free for aliases of the same switch. */
  switchAliases(actions: readonly AliasAction[]): void {
    const deleted = actions.flatMap((action) => (action.kind === 'delete_index' ? [action.index] : []));
    for (const index of deleted) this.delete(index);
    const indices = this.#catalogue.indices.filter(({ name }) => !deleted.includes(name));
    for (const action of actions) {
      if (action.kind !== 'delete_index') this.#switchAlias(action, { ...this.#catalogue, indices });
    }
  }

  define(index: string, definition: StoredDefinition): void {
    this.#keepDefinition(definition);
    this.#set(index, { fingerprint: definition.fingerprint });
  }

  putTemplate(name: string, pattern: string, definition: StoredDefinition, options: LifecycleOptions): void {
    const { lifecyclePolicy = null, rolloverAlias = null } = options;
    this.#keepDefinition(definition);
    const sql = 'INSERT OR REPLACE INTO templates VALUES (?, ?, ?, ?, ?)';
    this.#run(sql, name, pattern, definition.fingerprint, lifecyclePolicy, rolloverAlias);
  }

  setLifecycle(index: string, policy: string, rolloverAlias: string): void {
    this.#set(index, { lifecycle_policy: policy, rollover_alias: rolloverAlias });
  }

  /** Adds an index that inherits definition and lifecycle and takes the writes of the alias. */
  rollOver(alias: string, from: string, to: string): void {
    this.#rejectExisting(to);
    const number = this.#insert({ ...findIndex(this.#catalogue, from), ...this.#templateFor(to), name: to });
    this.#addAlias(alias, number, true);
  }

  #switchAlias(action: Exclude<AliasAction, { kind: 'delete_index' }>, catalogue: IndexCatalogue): void {
    const { alias, index } = action;
    const { number } = findIndex(catalogue, index);
    if (action.kind === 'add') {
      if (catalogue.indices.some(({ name }) => name === alias))
        throw new Conflict('index_exists', `${alias} is an index and cannot become an alias.`);
      this.#addAlias(alias, number, action.writeIndex ?? false);
      return;
    }
    const removed = this.#run('DELETE FROM aliases WHERE alias = ? AND number = ?', alias, number);
    if (removed === 0 && (action.mustExist ?? true)) {
      const message = `The alias ${alias} is not on the index ${index}. Nothing was switched.`;
      throw new NotFound('alias_missing', message);
    }
  }

  /** Adds an alias to an index. An alias has one write index: a new one replaces the old. */
  #addAlias(alias: string, number: number, writeIndex: boolean): void {
    if (writeIndex) this.#run('UPDATE aliases SET write_index = 0 WHERE alias = ?', alias);
    this.#run('INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)', alias, number, writeIndex ? 1 : 0);
  }

  #insert(index: Pick<CatalogueIndex, 'name' | 'fingerprint' | 'lifecyclePolicy' | 'rolloverAlias'>): number {
    const { name, fingerprint, lifecyclePolicy = null, rolloverAlias = null } = index;
    const columns = 'name, fingerprint, created_at, lifecycle_policy, rollover_alias';
    const insert = this.#database.prepare(`INSERT INTO indices (${columns}) VALUES (?, ?, ?, ?, ?)`);
    const { lastInsertRowid } = insert.run(name, fingerprint, Date.now(), lifecyclePolicy, rolloverAlias);
    createDocumentTable(this.#database, Number(lastInsertRowid));
    return Number(lastInsertRowid);
  }

  #set(index: string, values: Readonly<Record<string, string | number>>): void {
    const { number } = findIndex(this.#catalogue, index);
    const columns = Object.keys(values).map((column) => `${column} = ?`);
    this.#run(`UPDATE indices SET ${columns.join(', ')} WHERE number = ?`, ...Object.values(values), number);
  }

  /** Returns the settings of the template with the longest pattern that matches the name. */
  #templateFor(name: string): Pick<CatalogueIndex, 'fingerprint' | 'lifecyclePolicy' | 'rolloverAlias'> | undefined {
    const rows = this.#database.prepare('SELECT * FROM templates ORDER BY length(pattern) DESC, name').all();
    const row = rows.find(({ pattern }) => globExpression(String(pattern)).test(name));
    return row && { fingerprint: String(row.fingerprint), ...lifecycleOf(row) };
  }

  #keepDefinition({ fingerprint, body }: StoredDefinition): void {
    this.#run('INSERT OR IGNORE INTO definitions VALUES (?, ?)', fingerprint, body);
  }

  #rejectExisting(name: string): void {
    if (name === '') throw new InvalidInput('invalid_index_name', 'The name of an index must not be empty.');
    const isTaken = this.#catalogue.indices.some(
      (index) => index.name === name || index.aliases.some((alias) => alias.name === name),
    );
    if (isTaken) throw new Conflict('index_exists', `The index ${name} exists already.`);
  }

  /** Returns the number of rows that the statement changed. */
  #run(sql: string, ...values: readonly (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}
