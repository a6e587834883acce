import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PNPM = 'pnpm@10.34.9';
/** Milliseconds for the packages, and for the build, on a machine that other tests use too. */
const TIMEOUT = 1_200_000;

export interface BuiltUi {
  /** Folder of `index.html`. */
  readonly pages: string;
  /** Folder of the editor, which the pages load from a content delivery network. */
  readonly editor: string;
}

/**
 * Builds the user interface of the checkout's commit in a temporary folder, where it remains.
 * Nothing is written into the checkout. Later calls for an equal tree return what is there.
 */
export async function builtUi(checkout: string): Promise<BuiltUi> {
  const { stdout } = await run('git', ['-C', checkout, 'rev-parse', 'HEAD:ui']);
  const tree = stdout.trim();
  const finished = join(tmpdir(), 'triad-clue-ui', tree);
  const built = { pages: join(finished, 'pages'), editor: join(finished, 'editor') };
  if (existsSync(finished)) return built;
  const folder = `${finished}.${process.pid}`;
  const cwd = join(folder, 'source');
  const result = join(folder, 'result');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(result);
  try {
    const archive = join(folder, 'source.tar');
    await run('git', ['-C', checkout, 'archive', '--output', archive, tree]);
    await run('tar', ['-xf', archive, '-C', cwd]);
    const options = { cwd, timeout: TIMEOUT, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CI: '1' } };
    await run('npx', ['--yes', PNPM, 'install', '--frozen-lockfile', '--ignore-scripts'], options);
    await run('npx', ['vite', 'build', '--outDir', join(result, 'pages')], options);
    cpSync(join(cwd, 'node_modules', 'monaco-editor', 'min'), join(result, 'editor'), { recursive: true });
    if (!existsSync(finished)) renameSync(result, finished);
    return built;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
