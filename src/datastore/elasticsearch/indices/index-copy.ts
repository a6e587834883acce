import { messageOf, NotFound } from '../../../errors/errors.ts';
import type { TaskStatus } from '../../port/index-admin.ts';
import { ProcessTasks, type TaskNotes } from '../../port/process-tasks.ts';
import type { EngineLimits } from '../collection-context.ts';
import { sendWrites } from '../documents/bulk-sender.ts';
import { sourceText } from '../documents/document-source.ts';
import type { EngineWrite } from '../documents/engine-writes.ts';
import type { EngineCause } from '../transport/engine-errors.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { scanIndex } from './index-scan.ts';

export type Transform = (document: Record<string, unknown>) => Record<string, unknown> | undefined;

/** @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-tasks-get */
interface ServerTask {
  readonly completed?: boolean;
  readonly task?: { readonly status?: Progress };
  readonly response?: Progress & {
    /** Failures of documents with `id` and `cause`, of unreadable shards with `reason`. */
    readonly failures?: readonly {
      readonly id?: string;
      readonly cause?: EngineCause;
      readonly reason?: EngineCause;
    }[];
    readonly canceled?: string;
    readonly timed_out?: boolean;
  };
  readonly error?: EngineCause;
}
interface Progress {
  readonly total?: number;
  readonly created?: number;
  readonly updated?: number;
}

/** Copies indices: the server does, visible to all processes; with a transformation, this process does. */
export function indexCopies(engine: SearchEngine, limits: EngineLimits, closed: AbortSignal) {
  const tasks = new ProcessTasks();
  const refresh = (index: string) =>
    engine.request({ method: 'POST', path: `/${encodeURIComponent(index)}/_refresh`, repeatable: true });

  const run = async (notes: TaskNotes, source: string, target: string, transform: Transform): Promise<void> => {
    const context = { engine, limits, alias: target, indices: async () => [target] };
    for await (const batch of scanIndex(context, source, { batch: limits.requestBatchSize })) {
      closed.throwIfAborted();
      const writes: EngineWrite[] = [];
      for (const { id, document } of batch) {
        try {
          const changed = transform(document);
          if (changed) writes.push({ id, index: target, action: 'index', source: sourceText(id, changed) });
        } catch (error) {
          notes.failures.push(`${id}: ${messageOf(error)}`);
        }
      }
      // Writing a document twice under its identifier is as good as once.
      for (const [at, outcome] of (await sendWrites(context, writes)).entries()) {
        if (outcome?.ok) notes.created += 1;
        else notes.failures.push(`${writes[at]?.id}: ${messageOf(outcome?.error)}`);
      }
    }
    await refresh(target);
  };

  return {
    async start(source: string, target: string, transform: Transform | undefined): Promise<string> {
      // The copy reads what searches see; what was written just now would be missing there, or be there as it was before.
      await refresh(source);
      if (transform) {
        const path = `/${encodeURIComponent(source)}/_count`;
        const { body } = await engine.request<{ count: number }>({ path });
        return tasks.begin(body.count, (notes) => run(notes, source, target, transform));
      }
      const { body } = await engine.request<{ task: string }>({
        method: 'POST',
        path: '/_reindex',
        query: { wait_for_completion: false, refresh: true },
        body: { source: { index: source, size: limits.requestBatchSize }, dest: { index: target } },
      });
      return body.task;
    },

    /** @throws NotFound `task_missing` */
    status: async (id: string): Promise<TaskStatus> => tasks.status(id) ?? serverStatus(engine, id),
  };
}

async function serverStatus(engine: SearchEngine, id: string): Promise<TaskStatus> {
  const { status, body } = await engine.request<ServerTask>({
    path: `/_tasks/${encodeURIComponent(id)}`,
    // 400: no identifier of a task at all.
    accept: [400, 404],
  });
  if (status !== 200) throw new NotFound('task_missing', `There is no task ${id}.`);
  const { total = 0, created = 0, updated = 0 } = body.response ?? body.task?.status ?? {};
  const { failures: failed = [], canceled, timed_out } = body.response ?? {};
  const failures = failed.map(({ id: document = 'a part of the index', cause, reason = cause }) => {
    return `${document}: ${reason?.reason ?? reason?.type ?? 'no reason given'}`;
  });
  if (canceled !== undefined) failures.push(`The task was cancelled: ${canceled}.`);
  if (timed_out === true) failures.push('The task gave up, because a part of it took too long.');
  if (body.error) failures.push(body.error.reason ?? body.error.type ?? 'The task failed.');
  return { done: body.completed === true, total, created: created + updated, failures };
}
