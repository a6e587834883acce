import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { IndexInfo } from '../datastore/port/index-admin.ts';
import { seedVersion2 } from '../testing/migrations/reindex-seeds.ts';

const MAIN = join(import.meta.dirname, '..', 'start.mjs');
/**
 * Connects a program to a pseudo-terminal: what it prints goes to standard output, and what is read is
 * typed. Ends with its status.
 */
const TERMINAL = `
import os, pty, select, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
sources = [terminal, 0]
while True:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 4096)
        except OSError:
            data = b''
        if source == terminal and not data:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        if source == terminal:
            os.write(1, data)
        elif data:
            os.write(terminal, data)
        else:
            sources.remove(0)
`;
const NO_TERMINAL = spawnSync('python3', ['-c', 'import pty']).status === 0 ? false : 'python3 makes the terminal';

const root = mkdtempSync(join(tmpdir(), 'triad-reindex-'));
const seeded = join(root, 'seeded');
let folders = 0;

before(async () => {
  const store = await openEmbeddedDatastore({ folder: seeded, prefix: 'svc' });
  await seedVersion2(store, 'view', 12);
  await seedVersion2(store, 'analytic', 5);
  await store.close();
});
after(() => rmSync(root, { recursive: true, force: true }));

describe('triad reindex --yes', () => {
  it('brings indices over in their order, says what it did, and does nothing the second time', async () => {
    const folder = newFolder();
    const first = triad(folder, ['--index', 'analytic', '--index=view', '--yes']);
    assert.equal(first.status, 0, first.stderr);
    assert.match(
      first.stderr,
      /INDEX +DOCUMENTS +SIZE +STATE\nsvc-view_hot +12 +[\d.]+ kB +to do\nRoom needed .*Free: [\d.]+ [GT]B\./,
    );
    assert.match(
      first.stdout,
      /^INDEX .*\nsvc-view_hot +reindexed +12 +svc-before-3\.0\.0-view_hot\n[\s\S]*\nsvc-analytic_hot +reindexed +5 /,
    );
    assert.match(first.stdout, /triad reindex --drop-old --index view --yes/);
    const second = triad(folder, ['--index', 'view', '--yes']);
    assert.equal(second.status, 0, second.stderr);
    assert.match(second.stdout, /svc-view_hot +was done before/);
    const dropped = triad(folder, ['--drop-old', '--index', 'view', '--yes']);
    assert.deepEqual([dropped.status, dropped.stdout], [0, 'svc-before-3.0.0-view_hot was deleted.\n'], dropped.stderr);
    const cleaned = triad(folder, ['--cleanup', '--index', 'view', '--yes']);
    assert.deepEqual([cleaned.status, cleaned.stdout], [0, 'Nothing was left to undo for view.\n'], cleaned.stderr);
  });

  it('ends with status 1 and a sentence when there is nothing, or someone has the folder', async () => {
    const nothing = triad(newFolder(), ['--index', 'hit', '--yes']);
    assert.equal(nothing.status, 1);
    assert.match(nothing.stderr, /^ERROR: There is no index behind the alias svc-hit/m);
    const folder = newFolder();
    const store = await openEmbeddedDatastore({ folder, prefix: 'svc' });
    const inUse = triad(folder, ['--index', 'view', '--yes']);
    await store.close();
    assert.equal(inUse.status, 1);
    assert.match(inUse.stderr, /^ERROR: .*in use/m);
    assert.equal(inUse.stdout, '', 'the log says it no second time');
  });

  it('refuses wrong use with status 2 before anything is opened', () => {
    const folder = join(root, 'never-made');
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /no terminal to ask at\. Give --index view, analytic or hit, and --yes\. See triad --help\./],
      [['--index', 'view'], /no terminal/],
      [['--yes'], /--yes needs --index/],
      [['--index', 'user', '--yes'], /--index user is not known\. Allowed: view, analytic, hit/],
      [['--index=', '--yes'], /--index "" is not known/],
      [['view', '--yes'], /takes no arguments: view\. Use --index/],
      [['--cleanup', '--drop-old', '--index=view', '--yes'], /give one of them/],
      [['--force'], /does not know --force/],
    ];
    for (const [words, message] of wrong) {
      const { status, stdout, stderr } = triad(folder, words, 'yes\nview\nyes\n');
      assert.deepEqual([status, stdout], [2, ''], words.join(' '));
      assert.match(stderr, message);
    }
    assert.equal(existsSync(folder), false);
  });
});

describe('triad reindex at a terminal', { skip: NO_TERMINAL, concurrency: 4 }, () => {
  it('warns, counts down, asks, shows the indices, asks again, and does it', async () => {
    const folder = newFolder();
    const { status, shown } = await atTerminal(folder, [
      [/Go on\? \[yes\/NO, q leaves\]/, 'yes\n'],
      [/Which index\? view, analytic, hit/, 'view\n'],
      [/svc-view_hot +12 [\s\S]*Reindex the indices of view that are listed\?/, 'yes\n'],
    ]);
    assert.equal(status, 0, shown);
    assert.match(shown, /WARNING: [\s\S]*backup[\s\S]*Continuing in 5 s[\s\S]*Continuing in 1 s[\s\S]*Go on\?/);
    assert.match(shown, /svc-view_hot +reindexed +12/);
    const names = (await indices(folder)).map(({ name }) => name);
    assert.ok(names.includes('svc-before-3.0.0-view_hot'), names.join());
  });

  it('asks only among the indices that were named', async () => {
    const { status, shown } = await atTerminal(
      newFolder(),
      [
        [/Go on\?/, 'yes\n'],
        [/Which index\? view, hit \[/, 'analytic\n'],
      ],
      ['--index', 'view', '--index', 'hit'],
    );
    assert.equal(status, 1, shown);
    assert.match(shown, /"analytic" is none of view, hit\. Nothing was changed\./);
  });

  const leaving: readonly (readonly [string, readonly (readonly [RegExp, string])[], RegExp])[] = [
    ['q at the first question', [[/Go on\?/, 'q\n']], /You left\. Nothing was changed\./],
    ['a wrong answer', [[/Go on\?/, 'perhaps\n']], /"perhaps" is not yes\. Nothing was changed\./],
    ['an empty answer', [[/Go on\?/, '\n']], /"" is not yes\. Nothing was changed\./],
    ['Ctrl-C in the countdown', [[/Continuing in 4 s/, '\u0003']], /Interrupted\. Nothing was changed\./],
    ['the end of the input', [[/Go on\?/, '\u0004']], /The input ended\. Nothing was changed\./],
    [
      'answers that were typed before the questions',
      [
        [/Continuing in 4 s/, 'yes\nview\nyes\n'],
        [/Go on\?/, 'q\n'],
      ],
      /You left\. Nothing was changed\./,
    ],
    [
      'an index that there is not',
      [
        [/Go on\?/, 'yes\n'],
        [/Which index\?/, 'user\n'],
      ],
      /"user" is none of view, analytic, hit\. Nothing was changed\./,
    ],
    [
      'Ctrl-C at the last question',
      [
        [/Go on\?/, 'y\n'],
        [/Which index\?/, 'view\n'],
        [/Reindex the indices/, '\u0003'],
      ],
      /Interrupted\. Nothing was changed\./,
    ],
    [
      'no at the last question',
      [
        [/Go on\?/, 'yes\n'],
        [/Which index\?/, 'view\n'],
        [/Reindex the indices/, 'no\n'],
      ],
      /"no" is not yes\. Nothing was changed\./,
    ],
  ];
  for (const [what, answers, said] of leaving) {
    it(`changes nothing on ${what}, says so, and ends with status 1`, async () => {
      const folder = newFolder();
      const before = await indices(folder);
      const { status, shown } = await atTerminal(folder, answers);
      assert.equal(status, 1, shown);
      assert.match(shown, said);
      assert.deepEqual(await indices(folder), before);
    });
  }
});

function newFolder(): string {
  folders += 1;
  const folder = join(root, `data-${folders}`);
  cpSync(seeded, folder, { recursive: true });
  return folder;
}

function environmentOf(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    SVC_DATA_FOLDER: folder,
    SVC_CONF_FOLDER: import.meta.dirname,
  };
}

function triad(folder: string, words: readonly string[], input = '') {
  const command = [MAIN, 'reindex', ...words];
  return spawnSync(process.execPath, command, {
    input,
    encoding: 'utf8',
    env: environmentOf(folder),
    timeout: 120_000,
  });
}

/** Types each answer when what is shown has come so far as its pattern. */
function atTerminal(
  folder: string,
  answers: readonly (readonly [RegExp, string])[],
  words: readonly string[] = [],
): Promise<{ readonly status: number | null; readonly shown: string }> {
  const command = [process.execPath, MAIN, 'reindex', ...words];
  const child = spawn('python3', ['-c', TERMINAL, ...command], { env: environmentOf(folder) });
  const left = [...answers];
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text.replaceAll('\r\n', '\n');
    const [next] = left;
    if (next === undefined || !next[0].test(shown.slice(seen))) return;
    left.shift();
    seen = shown.length;
    child.stdin.write(next[1]);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it did not end; it showed:\n${shown}`));
    }, 120_000);
    child.once('exit', (status) => {
      clearTimeout(timer);
      resolve({ status, shown });
    });
  });
}

async function indices(folder: string): Promise<readonly IndexInfo[]> {
  const store = await openEmbeddedDatastore({ folder, prefix: 'svc' });
  try {
    return await store.admin.list('*');
  } finally {
    await store.close();
  }
}
