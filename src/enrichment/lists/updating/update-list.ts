import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { messageOf, Unavailable } from '../../../errors/errors.ts';
import type { ConfiguredList } from '../configured-lists.ts';
import type { CompileOutcome, CompileProgress, CompileTask } from './compile-list.ts';
import type { CompileMessage } from './compile-process.ts';
import { lockListFolder, readState, writeState } from './list-folder.ts';

export interface UpdateOptions {
  /** Ends the update; the old list stays. */
  readonly signal: AbortSignal;
  readonly progress?: CompileProgress;
  /** Default false. */
  readonly force?: boolean;
}

const ENTRY = new URL('./compile-process.ts', import.meta.url);
/** Megabytes of the objects of the process; SQLite sorts in some more. */
const MEMORY = 256;
const MAX_ERROR_OUTPUT = 2000;
/** Milliseconds that an update may take: a server that sends a byte now and then holds up other lists. */
const MAX_TIME = 2 * 3_600_000;

/**
 * Brings a compiled list up to date in a process of its own, which can be killed, whose memory is
 * given back, and for which no request waits.
 * @throws `signal.reason`; Unavailable `data_folder_unusable`
 */
export async function updateList(list: ConfiguredList, options: UpdateOptions): Promise<CompileOutcome> {
  const { signal, progress = () => undefined, force = false } = options;
  signal.throwIfAborted();
  const { folder, settings, fingerprint } = list;
  // Starting a process for a list that another one updates would be a waste.
  if (isLocked(folder)) return { kind: 'busy' };
  const child = fork(ENTRY, {
    execArgv: [`--max-old-space-size=${MEMORY}`, '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const kill = () => void child.kill('SIGKILL');
  const limit = setTimeout(kill, MAX_TIME);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const task: CompileTask = { list: settings, folder, fingerprint, force };
    const outcome = await outcomeOf(child, task, progress);
    signal.throwIfAborted();
    if (typeof outcome !== 'string') return outcome;
    const place = settings.path ?? settings.url ?? settings.name;
    const state = readState(folder);
    const problem = { at: Date.now(), place, reason: outcome };
    writeState(folder, { ...state, failures: state.failures + 1, problem });
    return { kind: 'failed', place, reason: outcome };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Creates the folder of a list, and returns whether another process updates the list. */
function isLocked(folder: string): boolean {
  try {
    // Lists may be above the clearance of other users of the machine.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockListFolder(folder);
    lock?.release();
    return lock === undefined;
  } catch (cause) {
    const message = `The folder ${folder} of a list cannot be written: ${messageOf(cause)}. Make it writable.`;
    throw new Unavailable('data_folder_unusable', message, { cause });
  }
}

/** Returns the outcome, or why the process ended without one. */
async function outcomeOf(
  child: ChildProcess,
  task: CompileTask,
  progress: CompileProgress,
): Promise<CompileOutcome | string> {
  let outcome: CompileOutcome | undefined;
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_ERROR_OUTPUT);
  });
  child.on('message', (message: CompileMessage) => {
    if (message.kind === 'progress') progress(...message.progress);
    else outcome = message.outcome;
  });
  // A process that cannot be started, or is gone, ends the wait below; a later error means nothing.
  child.on('error', () => undefined);
  child.send(task);
  const [status, signal] = await once(child, 'exit').catch((error: Error) => [error.message, null]);
  if (outcome !== undefined) return outcome;
  const reason = /heap out of memory/.test(errors)
    ? `it takes more than ${MEMORY} MB of memory`
    : signal === 'SIGKILL'
      ? `its process was killed, by the system or after ${MAX_TIME / 3_600_000} hours`
      : `its process ended with ${signal ?? status}`;
  return `${reason}, so it was not compiled`;
}
