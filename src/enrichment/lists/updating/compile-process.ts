import { setPriority } from 'node:os';
import { type CompileOutcome, type CompileProgress, type CompileTask, compileList } from './compile-list.ts';

/** Messages of the process that compiles one list, and ends. */
export type CompileMessage =
  | { readonly kind: 'progress'; readonly progress: Parameters<CompileProgress> }
  | { readonly kind: 'ended'; readonly outcome: CompileOutcome };

/** The compilation has a lower priority than requests. */
const PRIORITY = 10;
/** Milliseconds between two messages of progress. */
const INTERVAL = 200;

// A terminal sends its signals to all processes: this one ends when the program ends it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.once('message', async (task: CompileTask) => {
  // The program that wanted the list is gone. What is unfinished is removed by the next update.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  setPriority(PRIORITY);
  let last = 0;
  const outcome = await compileList(task, (...progress) => {
    if (progress[0] === 'reading' && performance.now() - last < INTERVAL) return;
    last = performance.now();
    process.send?.({ kind: 'progress', progress } satisfies CompileMessage);
  });
  process.removeAllListeners('disconnect');
  process.send?.({ kind: 'ended', outcome } satisfies CompileMessage, () => process.disconnect());
});
