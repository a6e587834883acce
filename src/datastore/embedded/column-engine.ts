import { InvalidInput, isTriadError, Unavailable } from '../../errors/errors.ts';
import type { CheckedSort } from '../port/datastore-adapter.ts';
import { type FacetResult, type HistogramBucket, NO_STATS, type StatsResult } from '../port/search.ts';
import type { HistogramSpec } from '../semantics/histogram-steps.ts';
import { type FacetSpec, facet } from './aggregations/facets.ts';
import { type GroupSpec, group } from './aggregations/groups.ts';
import { histogram } from './aggregations/histograms.ts';
import { type StatsSpec, stats } from './aggregations/stats.ts';
import type { ColumnContext } from './columns/column-store.ts';
import { ColumnSynchroniser } from './columns/column-synchroniser.ts';
import { type ColumnEvents, ColumnUpkeep } from './columns/column-upkeep.ts';
import { ReadWriteLock } from './columns/read-write-lock.ts';
import {
  type CursorPage,
  type CursorReader,
  Cursors,
  type FoundDocument,
  type FoundPart,
  MAX_PAGE_CHARACTERS,
} from './queries/cursors.ts';
import { count, everything, type FoundRow, type PageSpec, page } from './queries/pages.ts';
import { looksInManyFields, possibleQuery } from './queries/possible-query.ts';
import { type ColumnSelection, QueryContext } from './queries/query-context.ts';
import { resolveQuery } from './queries/query-resolution.ts';

export type ColumnEngineOptions = Omit<ColumnContext, 'lock'> & ColumnEvents;

/** Answers searches from the columns. Arguments and results are plain data, which cross threads. */
export class ColumnEngine {
  readonly #options: ColumnEngineOptions;
  readonly #lock = new ReadWriteLock();
  readonly #cursors: Cursors;
  readonly #upkeep: ColumnUpkeep;
  readonly readCursor = async (cursor: string, rows: number): Promise<CursorPage> => this.#cursors.read(cursor, rows);
  readonly readFound = async (cursor: string, rows: number): Promise<FoundPart> => this.#cursors.found(cursor, rows);
  readonly closeCursor = async (cursor: string): Promise<void> => this.#cursors.close(cursor);
  #opening: Promise<ColumnSynchroniser> | undefined;

  constructor(options: ColumnEngineOptions) {
    this.#options = options;
    this.#cursors = new Cursors(options.folder, options.reader);
    this.#upkeep = new ColumnUpkeep({ ...options, open: () => this.#open() });
  }

  /** Reports a write, so that it is applied before a search has to wait for it. */
  announce(): void {
    this.#upkeep.announce();
  }

  async page(selection: ColumnSelection, spec: PageSpec) {
    const isByRelevance = spec.sort[0]?.kind === 'score';
    const prepare = isByRelevance ? (context: QueryContext) => context.useGrams(possibleQuery) : undefined;
    const found = await this.#read(selection, (context) => page(context, spec), prepare);
    return { documents: this.#documents(found?.rows ?? []), total: found?.total ?? 0 };
  }

  async count(selection: ColumnSelection): Promise<number> {
    return (await this.#read(selection, count)) ?? 0;
  }

  async facet(selection: ColumnSelection, spec: FacetSpec): Promise<FacetResult> {
    return (await this.#read(selection, (context) => facet(context, spec))) ?? { buckets: [], other: 0 };
  }

  async histogram(selection: ColumnSelection, spec: HistogramSpec): Promise<readonly HistogramBucket[]> {
    return (await this.#read(selection, (context) => histogram(context, spec))) ?? [];
  }

  async stats(selection: ColumnSelection, spec: StatsSpec): Promise<StatsResult> {
    return (await this.#read(selection, (context) => stats(context, spec))) ?? NO_STATS;
  }

  async group(selection: ColumnSelection, spec: GroupSpec) {
    const found = await this.#read(selection, (context) => group(context, spec));
    const groups = (found?.groups ?? []).map(({ rows, ...rest }) => ({ ...rest, documents: this.#documents(rows) }));
    return { groups, total: found?.total ?? 0 };
  }

  /** Finds everything and keeps the present state until the cursor is closed or not used for 5 minutes. */
  async openCursor(
    selection: ColumnSelection,
    sort: readonly CheckedSort[],
    reader: CursorReader,
  ): Promise<{ cursor: string; total: number }> {
    return this.#guard(selection, async (signal) => {
      const synchroniser = await this.#open();
      return this.#cursors.open(reader, async (pin) => {
        // The columns wait until the state is taken; finding may take as long as it needs.
        const begun = Promise.withResolvers<void>();
        const find = () =>
          this.#lock.shared(() =>
            this.#query(
              synchroniser,
              selection,
              (context) => everything(context, sort),
              signal,
              async (context) => {
                await context.takeState();
                begun.resolve();
              },
            ),
          );
        const { found } = await synchroniser.at(pin, selection.indices, async () => {
          const found = find();
          await Promise.race([begun.promise, found]);
          return { found };
        });
        return found;
      });
    });
  }

  /** Applies everything that was written and makes it durable in the file. */
  async checkpoint(): Promise<void> {
    const synchroniser = await this.#open();
    while (!(await synchroniser.advance()));
    await this.#upkeep.checkpoint();
  }

  async close(): Promise<void> {
    this.#cursors.closeAll();
    await this.#upkeep.stop();
    const synchroniser = await this.#opening?.catch(() => undefined);
    await synchroniser?.close();
  }

  /** Runs a read on columns that are up to date; undefined when the selection has no index. */
  async #read<R>(
    selection: ColumnSelection,
    work: (context: QueryContext) => Promise<R>,
    prepare?: (context: QueryContext) => Promise<void>,
  ): Promise<R | undefined> {
    if (selection.indices.length === 0) return undefined;
    return this.#guard(selection, async (signal) => {
      const synchroniser = await this.#open();
      const attempt = () =>
        this.#lock.shared(async () =>
          // The files may just have been closed because they were unused.
          synchroniser.isOpen
            ? { result: await this.#query(synchroniser, selection, work, signal, prepare) }
            : undefined,
        );
      for (let failures = 0; ; ) {
        await synchroniser.upToDate(selection.indices, signal);
        try {
          const answer = await attempt();
          if (answer) return answer.result;
        } catch (error) {
          synchroniser.markBrokenBy(error);
          failures += 1;
          // Reopened, or rebuilt from the documents, it may answer.
          if (synchroniser.isOpen || failures > 1) throw error;
        }
      }
    });
  }

  async #guard<R>(selection: ColumnSelection, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const deadline = AbortSignal.timeout(selection.timeout);
    const signal = selection.signal === undefined ? deadline : AbortSignal.any([deadline, selection.signal]);
    this.#upkeep.noteUse();
    try {
      return await work(signal);
    } catch (cause) {
      // Columns that are not complete are built on, also when nothing is written.
      if (isTriadError(cause) && cause.kind === 'unavailable') this.announce();
      if (isTriadError(cause)) throw cause;
      if (signal.aborted) {
        const message = `The search was given up after ${selection.timeout / 1000} s. Narrow it, or allow more time.`;
        throw new Unavailable('search_timeout', message, { cause });
      }
      this.#options.logger.error({ err: cause }, 'A search failed in the column store.');
      const message = 'The search failed in the column store; the log has the cause.';
      throw new Unavailable('datastore_unavailable', message, { cause });
    }
  }

  /** Runs a query while the lock is shared; `prepare` comes before patterns are resolved. */
  #query<R>(
    synchroniser: ColumnSynchroniser,
    selection: ColumnSelection,
    work: (context: QueryContext) => Promise<R>,
    signal: AbortSignal,
    prepare?: (context: QueryContext) => Promise<void>,
  ): Promise<R> {
    const { database, tables: all } = synchroniser.store;
    const tables = selection.indices.map((index) => all.get(index)).filter((table) => table !== undefined);
    const definition = synchroniser.definition(selection.indices.at(-1) ?? 0);
    return database.withConnection(async (connection) => {
      const context = new QueryContext(connection, selection, definition, tables, signal);
      try {
        await prepare?.(context);
        if (prepare === undefined && looksInManyFields(selection.query)) await context.narrow(possibleQuery);
        await resolveQuery(context);
        return await work(context);
      } finally {
        await context.end();
      }
    });
  }

  /** @throws InvalidInput `result_too_large` */
  #documents(rows: readonly FoundRow[]): readonly FoundDocument[] {
    const documents: FoundDocument[] = [];
    let characters = 0;
    for (const { index, key, seq, id, sortKeys } of rows) {
      // The version is that of the state in which it was found, with an empty document.
      const row = id === undefined ? this.#options.reader.byKey(index, key) : { key, id, seq, json: '{}' };
      if (row === undefined) continue;
      documents.push({ ...row, index, changed: row.seq !== seq, ...(sortKeys ? { sortKeys } : {}) });
      characters += row.json.length;
      if (characters > MAX_PAGE_CHARACTERS) {
        const message = `The documents found have more than ${MAX_PAGE_CHARACTERS} characters together, which is the limit. Ask for fewer rows.`;
        throw new InvalidInput('result_too_large', message, { at: 'rows' });
      }
    }
    return documents;
  }

  #open(): Promise<ColumnSynchroniser> {
    this.#opening ??= ColumnSynchroniser.open({ ...this.#options, lock: this.#lock });
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }
}
