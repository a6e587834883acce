import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { messageOf, NotFound, Unavailable } from '../../errors/errors.ts';
import type { TaskStatus } from '../index-admin.ts';
import type { DocumentStorage } from './document-storage.ts';
import type { CatalogueIndex } from './index-catalogue.ts';
import type { WriteItem } from './write-requests.ts';

type Transform = (document: Record<string, unknown>) => Record<string, unknown> | undefined;
interface Task {
  done: boolean;
  total: number;
  created: number;
  failures: string[];
}

const BATCH = 500;
/** Rows that are copied as they are in one transaction. */
const WHOLE_ROWS = 2000;
const KEPT_TASKS = 100;

/** Copies that run beside everything else. Their state lives as long as the process, as the tasks of a search engine do. */
export class CopyTasks {
  readonly #storage: DocumentStorage;
  readonly #tasks = new Map<string, Task>();

  constructor(storage: DocumentStorage) {
    this.#storage = storage;
  }

  start(source: CatalogueIndex, target: CatalogueIndex, transform: Transform | undefined): string {
    const id = randomUUID();
    const task: Task = {
      done: false,
      total: this.#storage.reader.size(source.number).documents,
      created: 0,
      failures: [],
    };
    this.#tasks.set(id, task);
    for (const [old, { done }] of this.#tasks) if (done && this.#tasks.size > KEPT_TASKS) this.#tasks.delete(old);
    void this.#storage
      .during(() => this.#run(task, source, target, transform))
      .catch((error) => task.failures.push(messageOf(error)))
      .finally(() => {
        task.done = true;
      });
    return id;
  }

  /** @throws NotFound `task_missing` */
  status(id: string): TaskStatus {
    const task = this.#tasks.get(id);
    if (!task) throw new NotFound('task_missing', `There is no task ${id}.`);
    return { ...task, failures: [...task.failures] };
  }

  /** In order of insertion, which the copy therefore keeps. */
  async #run(
    task: Task,
    source: CatalogueIndex,
    target: CatalogueIndex,
    transform: Transform | undefined,
  ): Promise<void> {
    const isEmpty = this.#storage.reader.lastKey(target.number) === 0;
    if (transform === undefined && isEmpty) await this.#copyRows(task, source, target);
    else await this.#copyDocuments(task, source, target, transform);
  }

  /** The documents do not leave the database. */
  async #copyRows(task: Task, source: CatalogueIndex, target: CatalogueIndex): Promise<void> {
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
      task.created += step.copied;
      after = step.last;
    }
  }

  async #pause(): Promise<void> {
    await setImmediate();
    if (this.#storage.isClosing)
      throw new Unavailable('datastore_unavailable', 'The datastore was closed before the copy ended.');
  }

  async #copyDocuments(
    task: Task,
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
          const document = transform ? transform(JSON.parse(json)) : undefined;
          if (transform && document === undefined) continue;
          items.push({ kind: 'save', id, json: document === undefined ? json : JSON.stringify(document) });
        } catch (error) {
          task.failures.push(`${id}: ${messageOf(error)}`);
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
        if (result.ok) task.created += 1;
        else task.failures.push(`${result.id}: ${result.failure.message}`);
      }
    }
  }
}
