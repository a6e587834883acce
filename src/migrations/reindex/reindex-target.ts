import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskStatus } from '../../datastore/port/index-admin.ts';
import { Conflict, isTriadError } from '../../errors/errors.ts';
import { type IndexNames, type ReindexContext, taskAlias, taskOfAlias } from './reindex-context.ts';

const SHOWN_FAILURES = 10;

/** Makes the target, fills it and blocks it; throws `reindex_failures` unless they are allowed. */
export async function fillTarget(context: ReindexContext, names: IndexNames): Promise<void> {
  const { admin, allowFailures, definition } = context;
  await admin.create(names.target, definition);
  let status = await copied(context, names, undefined);
  if (status.failures.length > 0 && allowFailures && status.created + status.failures.length < status.total) {
    context.report.note(
      `${names.index}: the copy ended at its first failures; it is made again, document by document.`,
    );
    await discardTarget(context, names.target);
    await admin.create(names.target, definition);
    status = await copied(context, names, (document) => document);
  }
  if (status.failures.length > 0) reportFailures(context, names, status);
  await context.lock.check();
  await admin.blockWrites(names.target);
}

async function copied(
  { admin, lock, report, times, signal }: ReindexContext,
  { index, target }: IndexNames,
  transform: ((document: Record<string, unknown>) => Record<string, unknown>) | undefined,
): Promise<TaskStatus> {
  signal.throwIfAborted();
  const task = await admin.copy(index, target, transform === undefined ? {} : { transform });
  await lock.switchAliases([{ kind: 'add', index: target, alias: taskAlias(target, task) }]);
  for (;;) {
    const status = await admin.task(task);
    report.progress(index, status.created, status.total);
    if (status.done) return status;
    await sleep(times.pollEvery, undefined, { signal });
  }
}

/** @throws Conflict `reindex_failures` */
function reportFailures(
  { allowFailures, report }: ReindexContext,
  { index }: IndexNames,
  { failures }: TaskStatus,
): void {
  for (const failure of failures.slice(0, SHOWN_FAILURES)) report.note(`${index}: ${failure}`);
  const more = failures.length > SHOWN_FAILURES ? ` The first ${SHOWN_FAILURES} are listed.` : '';
  if (allowFailures) {
    report.note(`${index}: ${failures.length} documents stay behind in the kept index.${more}`);
    return;
  }
  throw new Conflict(
    'reindex_failures',
    `${index}: at least ${failures.length} documents cannot be written under the new mapping.${more} Correct them, or let them stay behind with --allow-failures.`,
  );
}

/** Deletes a target that is of no use, after what may still write to it has ended. */
export async function discardTarget({ admin, lock, times }: ReindexContext, target: string): Promise<void> {
  const [info] = await admin.list(target);
  if (info === undefined) return;
  // A copy that runs on the server fails at the block. Were the index simply deleted, the copy would make it again.
  await admin.blockWrites(target);
  const tasks = info.aliases.flatMap(({ name }) => taskOfAlias(target, name) ?? []);
  const deadline = Date.now() + times.longestEnd;
  for (const task of tasks)
    while (Date.now() < deadline && (await isRunning(admin, task))) await sleep(times.pollEvery);
  if (tasks.length === 0) await sleep(times.settle);
  await lock.switchAliases([{ kind: 'delete_index', index: target }]);
}

async function isRunning(admin: ReindexContext['admin'], task: string): Promise<boolean> {
  try {
    return !(await admin.task(task)).done;
  } catch (error) {
    if (isTriadError(error) && error.kind === 'not_found') return false;
    throw error;
  }
}
