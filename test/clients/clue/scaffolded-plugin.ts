import { execFile, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../src/testing/servers/free-port.ts';
import { until } from '../../../src/testing/until.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * Makes a plugin by `triad plugin new` in the folder, with this file as its `plugin.js`.
 * Installs it and starts it as `npm start` does; resolves when it is ready.
 */
export async function startScaffoldedPlugin(folder: string, name: string, file: string) {
  const program = join(ROOT, 'src', 'start.mjs');
  await run(process.execPath, [program, 'plugin', 'new', name, '--into', folder]);
  const cwd = join(folder, name);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd });
  await copyFile(file, join(cwd, 'plugin.js'));
  const port = await freePort();
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const child = spawn(process.execPath, ['start.js'], {
    ...{ cwd, env: { ...environment, PLUGIN_PORT: String(port) }, stdio: 'inherit' },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until(
    'the plugin is ready',
    () =>
      fetch(`${url}/healthz/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    30_000,
  );
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
