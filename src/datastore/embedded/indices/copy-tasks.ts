import { setImmediate } from 'node:timers/promises';
import { messageOf, NotFound, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { TaskStatus } from '../../port/index-admin.ts';
import { ProcessTasks, type TaskNotes } from '../../port/process-tasks.ts';
import type { DocumentStorage } from '../documents/document-storage.ts';
import type { WriteItem } from '../documents/write-requests.ts';
import type { CatalogueIndex } from './index-catalogue.ts';

type Transform = (document: Record<string, unknown>) => Record<string, unknown> | undefined;

const BATCH = 500;
/** Rows that are copied as they are in one transaction. */
const WHOLE_ROWS = 2000;

/** Copies that run beside everything else. */
export class CopyTasks {
  readonly #storage: DocumentStorage;
  readonly #tasks = new ProcessTasks();

  constructor(storage: DocumentStorage) {
    this.#storage = storage;
  }

  start(source: CatalogueIndex, target: CatalogueIndex, transform: Transform | undefined): string {
    const { documents } = this.#storage.reader.size(source.number);
    return this.#tasks.begin(documents, (notes) =>
      this.#storage.during(() => this.#run(notes, source, target, transform)),
    );
  }

  /** @throws NotFound `task_missing` */
  status(id: string): TaskStatus {
    const status = this.#tasks.status(id);
    if (!status) throw new NotFound('task_missing', `There is no task ${id}.`);
    return status;
  }

  /** In order of insertion, which the copy therefore keeps. */
  async #run(
    notes: TaskNotes,
    source: CatalogueIndex,
    target: CatalogueIndex,
    transform: Transform | undefined,
  ): Promise<void> {
    const isEmpty = this.#storage.reader.lastKey(target.number) === 0;
    if (transform === undefined && isEmpty) await this.#copyRows(notes, source, target);
    else await this.#copyDocuments(notes, source, target, transform);
  }

  /** The documents do not leave the database. */
  async #copyRows(notes: TaskNotes, source: CatalogueIndex, target: CatalogueIndex): Promise<void> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      await this.#pause();
      const step: { copied: number; last: number | undefined } = await this.#storage.write({
        kind: 'appendRows',
        source: source.number,
        target: target.number,
        after,
        rows: WHOLE_ROWS,
      });
      notes.created += step.copied;
      after = step.last;
    }
  }

  async #pause(): Promise<void> {
    await setImmediate();
    if (this.#storage.isClosing)
      throw new Unavailable('datastore_unavailable', 'The datastore was closed before the copy ended.');
  }

  async #copyDocuments(
    notes: TaskNotes,
    source: CatalogueIndex,
    target: CatalogueIndex,
    transform: Transform | undefined,
  ): Promise<void> {
    let after = 0;
    for (;;) {
      await this.#pause();
      const rows = this.#storage.reader.afterKey(source.number, after, BATCH);
      const last = rows.at(-1);
      if (!last) return;
      after = last.key;
      const items: WriteItem[] = [];
      for (const { id, json } of rows) {
        try {
          const document = transform ? transform(parseJson(json) as Record<string, unknown>) : undefined;
          if (transform && document === undefined) continue;
          items.push({ kind: 'save', id, json: document === undefined ? json : JSON.stringify(document) });
        } catch (error) {
          notes.failures.push(`${id}: ${messageOf(error)}`);
        }
      }
      const { results } = await this.#storage.write({
        kind: 'items',
        target: target.name,
        items,
        atomic: false,
        returnDocuments: false,
      });
      for (const result of results) {
        if (result.ok) notes.created += 1;
        else notes.failures.push(`${result.id}: ${result.failure.message}`);
      }
    }
  }
}
