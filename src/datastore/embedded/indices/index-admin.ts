import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { Conflict, InvalidInput, NotFound } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { AliasAction, IndexAdmin, IndexInfo, LifecycleOptions, TaskStatus } from '../../port/index-admin.ts';
import { ProcessTasks } from '../../port/process-tasks.ts';
import { nextGeneration, rolloverConditionMet } from '../../port/rollover.ts';
import { globExpression } from '../../semantics/glob.ts';
import type { DocumentStorage } from '../document-storage.ts';
import {
  type CatalogueIndex,
  indicesOf,
  isFinished,
  UNFINISHED_PREFIX,
  writeIndexOf,
} from '../documents/index-catalogue.ts';
import type { IndexChange, IndexChanges } from '../documents/index-changes.ts';
import { storedDefinition } from '../documents/stored-definitions.ts';
import type { ArgumentsOf } from '../worker-calls.ts';
import { copyIndex, copyRows } from './index-copy.ts';

type Definition = CollectionDefinition<unknown>;

const SCAN_ROWS = 500;
const VACUUM_PAGES = 1000;
/** Milliseconds. */
const REPORT_EVERY = 5_000;

/** Administers the physical indices of a folder: tables of SQLite and their catalogue. */
export class EmbeddedIndexAdmin implements IndexAdmin {
  readonly prefix: string;
  readonly delete = (index: string) => this.#administer('delete', index);
  readonly blockWrites = (index: string) => this.#administer('blockWrites', index, true);
  readonly unblockWrites = (index: string) => this.#administer('blockWrites', index, false);
  readonly rename = (index: string, name: string) => this.#administer('rename', index, name);
  readonly switchAliases = (actions: readonly AliasAction[]) => this.#administer('switchAliases', actions);
  /** Does nothing: a job of the program applies the configured policies itself. */
  readonly putLifecyclePolicy = async () => {};
  readonly setLifecycle = (index: string, policy: string, rolloverAlias: string) =>
    this.#administer('setLifecycle', index, policy, rolloverAlias);
  readonly #storage: DocumentStorage;
  readonly #folder: string;
  readonly #tasks = new ProcessTasks();

  constructor(storage: DocumentStorage, prefix: string, folder: string) {
    this.#storage = storage;
    this.prefix = prefix;
    this.#folder = folder;
  }

  async exists(index: string): Promise<boolean> {
    return this.#storage.during(() => this.#storage.catalogue.indices.some(({ name }) => name === index));
  }

  async list(pattern: string): Promise<readonly IndexInfo[]> {
    const expression = globExpression(pattern);
    return this.#storage.during(() => {
      const indices = this.#storage.catalogue.indices.filter(
        (index) => isFinished(index) && expression.test(index.name),
      );
      return indices.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((index) => this.#info(index));
    });
  }

  async create(index: string, definition: Definition, options: Parameters<IndexAdmin['create']>[2]): Promise<void> {
    await this.#administer('create', index, storedDefinition(definition), options);
  }

  clone(source: string, target: string): Promise<void> {
    return this.#storage.during(() => this.#clone(source, target));
  }

  async copy(source: string, target: string, options: Parameters<IndexAdmin['copy']>[2] = {}): Promise<string> {
    return this.#storage.during(() => {
      const [from, to] = [this.#storage.index(source), this.#storage.index(target)];
      const { documents } = this.#storage.reader.size(from.number);
      return this.#tasks.begin(documents, (notes) =>
        this.#storage.during(() => copyIndex({ storage: this.#storage, from, to }, options.transform, notes)),
      );
    });
  }

  async task(id: string): Promise<TaskStatus> {
    const status = this.#tasks.status(id);
    if (!status) throw new NotFound('task_missing', `There is no task ${id}.`);
    return status;
  }

  async addFields(index: string, definition: Definition): Promise<void> {
    const { fingerprint } = await this.#storage.during(() => this.#storage.index(index));
    const stored = storedDefinition(definition);
    if (stored.fingerprint !== fingerprint) await this.#administer('define', index, stored);
  }

  async putTemplate(name: string, pattern: string, definition: Definition, options: LifecycleOptions = {}) {
    await this.#administer('putTemplate', name, pattern, storedDefinition(definition), options);
  }

  async rollover(alias: string, conditions: Parameters<IndexAdmin['rollover']>[1]): Promise<string | undefined> {
    return this.#storage.during(async () => {
      const present = writeIndexOf(indicesOf(this.#storage.catalogue, alias), alias);
      if (!present) throw new NotFound('alias_missing', `The alias ${alias} has no write index to roll over.`);
      if (!rolloverConditionMet(conditions, this.#info(present))) return undefined;
      const index = nextGeneration(present.name);
      await this.#storage.administer('rollOver', alias, present.name, index);
      return index;
    });
  }

  async compact(index: string): Promise<void> {
    await this.#storage.during(async () => {
      this.#storage.index(index);
      await this.#storage.columns.call('checkpoint');
      for (let before = Number.POSITIVE_INFINITY; ; ) {
        const left = await this.#storage.write('vacuum', VACUUM_PAGES);
        // Pages that an old state still needs are freed when that state is released.
        if (left === 0 || left >= before) return;
        before = left;
      }
    });
  }

  async *scan(index: string, options: Parameters<IndexAdmin['scan']>[1]): ReturnType<IndexAdmin['scan']> {
    const { number } = await this.#storage.during(() => this.#storage.index(index));
    const batch = options.batch ?? SCAN_ROWS;
    if (!Number.isInteger(batch) || batch < 1)
      throw new InvalidInput('invalid_rows', 'A batch has at least one document.');
    let after = options.after ?? '';
    for (;;) {
      const rows = await this.#storage.during(() => this.#storage.reader.afterId(number, after, batch));
      if (rows.length > 0)
        yield rows.map(({ id, json }) => ({ id, document: parseJson(json) as Record<string, unknown> }));
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = last.id;
    }
  }

  /** The job `lifecycle` marks phases by aliases. */
  async phases(): Promise<ReadonlyMap<string, string>> {
    return new Map();
  }

  async freeBytes(): Promise<number | undefined> {
    if (this.#folder === 'memory') return undefined;
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  async #clone(source: string, target: string): Promise<void> {
    const from = this.#storage.index(source);
    if (!from.writeBlocked) {
      throw new Conflict('write_block_missing', `Block the writes to ${source} before it is cloned.`);
    }
    if (this.#storage.catalogue.indices.some(({ name }) => name === target))
      throw new Conflict('index_exists', `The index ${target} exists already.`);
    // Copied under a hidden name, so that an interrupted clone is never taken for a complete one.
    const unfinished = UNFINISHED_PREFIX + randomUUID();
    await this.#storage.administer('createLike', source, unfinished);
    try {
      const report = this.#cloneReport(source, target, from);
      const to = this.#storage.index(unfinished);
      await copyRows({ storage: this.#storage, from, to }, (_, key) => report(key));
      await this.#storage.administer('rename', unfinished, target);
    } catch (error) {
      await this.#storage.administer('delete', unfinished).catch(() => undefined);
      throw error;
    }
  }

  /** Logs one line every few seconds. */
  #cloneReport(source: string, target: string, { number }: CatalogueIndex): (key: number) => void {
    const last = this.#storage.reader.lastKey(number);
    let reportAt = performance.now() + REPORT_EVERY;
    return (key) => {
      if (performance.now() < reportAt) return;
      reportAt = performance.now() + REPORT_EVERY;
      const percent = Math.floor((100 * key) / last);
      this.#storage.logger.info({ source, target, percent }, `${source} is being cloned to ${target}: ${percent} %.`);
    };
  }

  async #administer<C extends IndexChange>(change: C, ...args: ArgumentsOf<IndexChanges, C>): Promise<void> {
    await this.#storage.during(() => this.#storage.administer(change, ...args));
  }

  #info(index: CatalogueIndex): IndexInfo {
    const { documents, bytes } = this.#storage.reader.size(index.number);
    return {
      name: index.name,
      aliases: index.aliases,
      documents,
      bytes,
      writeBlocked: index.writeBlocked,
      lifecyclePolicy: index.lifecyclePolicy,
      rolloverAlias: index.rolloverAlias,
      createdAt: new Date(index.createdAt),
    };
  }
}
