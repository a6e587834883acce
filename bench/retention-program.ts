import { createProgramLog } from '../src/cli/program-log.ts';
import { loadConfig } from '../src/config/config.ts';
import { startProgram } from '../src/program.ts';

/** Sent once the program listens, and when retention has ended. */
export type RetentionMessage =
  | { readonly address: string }
  | { readonly changed: number; readonly milliseconds: number };

// The program in a process of its own that runs retention upon any message: its crontab would start it once a minute at most.
const tell = (message: RetentionMessage) => process.send?.(message);
const config = loadConfig({ environment: process.env });
const program = await startProgram(config, { version: 'bench', logger: createProgramLog('INFO', true), demo: 'users' });
process.once('message', async () => {
  const started = performance.now();
  const { signal } = new AbortController();
  const steps = await program.jobs.runNow('retention', { signal, dryRun: false, progress: () => undefined });
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  if (failed !== undefined) throw new Error(`retention failed at ${failed.name}: ${failed.detail}`);
  const changed = Number(steps.find(({ name }) => name === 'age')?.changed);
  tell({ changed, milliseconds: performance.now() - started });
});
process.once('disconnect', async () => {
  await program.close();
  process.exit();
});
tell({ address: program.addresses.alerts ?? '' });
