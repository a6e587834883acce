import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a script in a process of its own, with `folder` as its argument, and kills it `delay`
 * milliseconds after it printed `open`.
 * @returns whether it was killed before it printed `done`
 */
export async function openAndKill(script: string, folder: string, delay: number): Promise<boolean> {
  const child = spawn(process.execPath, ['-e', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const isOpen = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('open')) resolve();
    });
  });
  const ended = once(child, 'exit');
  await Promise.race([isOpen, ended]);
  await sleep(delay);
  child.kill('SIGKILL');
  await ended;
  assert.ok(output.includes('open'), 'the process failed by itself');
  return !output.includes('done');
}
