import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../errors/errors.ts';
import { type ListSummary, openListFile, sum } from '../compiled/list-file.ts';
import { ListWriter } from '../compiled/list-writer.ts';
import { openListContent } from '../fetching/open-list-content.ts';
import { readList } from '../formats/read-list.ts';
import { type ListContent, ListProblem, type ListSettings, type ListVersion } from '../list-entry.ts';
import { compiledPath, lockListFolder, readState, signatureOf, writeState } from './list-folder.ts';

/** A list to bring up to date. */
export interface CompileTask {
  readonly list: ListSettings;
  readonly folder: string;
  readonly fingerprint: string;
  /** Reads it also when its source says that it did not change. */
  readonly force: boolean;
}

export type CompileOutcome =
  | { readonly kind: 'updated'; readonly entries: number; readonly leftOut: number }
  | { readonly kind: 'unchanged' }
  /** Another process updates this list. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly place: string; readonly reason: string };

export type CompileProgress = (step: 'reading' | 'sorting', done: number, total: number | undefined) => void;

const UNFINISHED = 'unfinished';

/**
 * Brings a compiled list up to date. The old file stays until a complete new one replaces it at once:
 * readers, and the next start after a crash, find the old or the new. Blocks: for a process of its own.
 */
export async function compileList(task: CompileTask, progress: CompileProgress): Promise<CompileOutcome> {
  const { folder, list } = task;
  mkdirSync(join(folder, 'content'), { recursive: true });
  const lock = lockListFolder(folder);
  if (lock === undefined) return { kind: 'busy' };
  const source = list.path === null ? undefined : signatureOf(list.path);
  try {
    removeUnfinished(folder);
    return await compileLocked(task, source, progress);
  } catch (error) {
    const { place, reason } =
      error instanceof ListProblem ? error : { place: list.path ?? list.url ?? list.name, reason: messageOf(error) };
    const state = readState(folder);
    writeState(folder, { ...state, failures: state.failures + 1, problem: { at: Date.now(), place, reason, source } });
    return { kind: 'failed', place, reason };
  } finally {
    lock.release();
  }
}

async function compileLocked(
  { list, folder, fingerprint, force }: CompileTask,
  source: string | undefined,
  progress: CompileProgress,
): Promise<CompileOutcome> {
  const old = summaryOf(folder);
  const current = old?.settings === fingerprint && !force ? old : undefined;
  const signal = new AbortController().signal;
  const content = await openListContent(list, current?.version, {
    signal,
    folder: join(folder, 'content'),
    progress: (done, total) => progress('reading', done, total),
  });
  const state = { failures: readState(folder).failures };
  if (!content.changed) {
    writeState(folder, { ...state, file: old?.id, checkedAt: Date.now() });
    return { kind: 'unchanged' };
  }
  const path = join(folder, `${UNFINISHED}.sqlite`);
  const writer = new ListWriter(path);
  let summary: ListSummary;
  try {
    const version = await readInto(writer, content, list, signal);
    progress('sorting', 0, undefined);
    summary = writer.finish({ settings: fingerprint, version, source });
  } catch (error) {
    writer.close();
    removeUnfinished(folder);
    throw error;
  } finally {
    await content.close();
  }
  const [entries, leftOut] = [sum(summary.tables), sum(summary.leftOut)];
  if (entries === 0 && (leftOut > 0 || sum(old?.tables ?? {}) > 0)) {
    removeUnfinished(folder);
    throw new ListProblem(list.path ?? list.url ?? list.name, emptyReason(summary));
  }
  synchronise(path);
  renameSync(path, compiledPath(folder));
  synchronise(dirname(path));
  writeState(folder, { ...state, file: summary.id, checkedAt: Date.now() });
  return { kind: 'updated', entries, leftOut };
}

async function readInto(
  writer: ListWriter,
  content: ListContent & { readonly changed: true },
  list: ListSettings,
  signal: AbortSignal,
): Promise<ListVersion> {
  const reading = readList(content.documents, { list, signal });
  for await (const entries of reading.entries) for (const entry of entries) writer.add(entry);
  for (const [reason, count] of reading.notUnderstood()) writer.leaveOut(reason, count);
  return content.version();
}

/** Returns the summary of the compiled file; undefined when there is none that can be used. */
function summaryOf(folder: string): ListSummary | undefined {
  try {
    const file = openListFile(compiledPath(folder));
    file?.database.close();
    return file?.summary;
  } catch {
    return undefined;
  }
}

function emptyReason({ leftOut }: ListSummary): string {
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} of them: it ${reason}`);
  return reasons.length === 0
    ? 'it has no entries, although the list had some before'
    : `none of its entries is understood (${reasons.slice(0, 3).join('; ')})`;
}

/** Removes what a process left that was killed. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { force: true });
  }
}

function synchronise(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
