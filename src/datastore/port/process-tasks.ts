import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors/errors.ts';
import type { TaskStatus } from './index-admin.ts';

export interface TaskNotes {
  created: number;
  readonly failures: string[];
}

const KEPT_TASKS = 100;

/** Runs tasks in the background. States live in this process; the last hundred finished are kept. */
export class ProcessTasks {
  readonly #tasks = new Map<string, { done: boolean; readonly total: number; readonly notes: TaskNotes }>();

  /** Its identifier. What `run` throws is its last failure. @param total of documents that it is about */
  begin(total: number, run: (notes: TaskNotes) => Promise<void>): string {
    const id = randomUUID();
    const task = { done: false, total, notes: { created: 0, failures: [] as string[] } };
    this.#tasks.set(id, task);
    for (const [old, { done }] of this.#tasks) if (done && this.#tasks.size > KEPT_TASKS) this.#tasks.delete(old);
    void run(task.notes)
      .catch((error: unknown) => task.notes.failures.push(messageOf(error)))
      .finally(() => {
        task.done = true;
      });
    return id;
  }

  /** Undefined: no task of this process, or one that is forgotten. */
  status(id: string): TaskStatus | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    const { done, total, notes } = task;
    return { done, total, created: notes.created, failures: [...notes.failures] };
  }
}
