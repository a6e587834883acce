import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEVER_ABORTED } from '../../../testing/enrichment/never-aborted.ts';
import { listFolder } from '../../../testing/enrichment/open-lists.ts';
import { type Script, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { until } from '../../../testing/until.ts';
import { keysOfSelector } from '../compiled/selector-keys.ts';
import type { ConfiguredList } from '../configured-lists.ts';
import { OpenLists } from '../open-lists.ts';
import { compiledPath, lockListFolder, readState } from './list-folder.ts';
import { type UpdateOptions, updateList } from './update-list.ts';

const LOG = { warn: () => undefined };

describe('updating a list', () => {
  it('compiles it once, again when it changed, and when its settings did', async (context) => {
    const { write, configured } = listFolder(context);
    const path = write('a.txt', 'one.example\n10.0.0.0/8\n');
    const [list] = configured([{ name: 'a', path }]);
    assert.ok(list);
    assert.deepEqual(await update(list), { kind: 'updated', entries: 2, leftOut: 0 });
    assert.deepEqual(await update(list), { kind: 'unchanged' });
    assert.equal((await update(list, { force: true })).kind, 'updated');
    write('a.txt', 'two.example\nthree.example\nfour.example\n');
    assert.deepEqual(await update(list), { kind: 'updated', entries: 3, leftOut: 0 });
    assert.equal(holds(list, 'one.example'), false);
    const [other] = configured([{ name: 'a', path, match: 'domain' }]);
    assert.ok(other);
    assert.equal((await update(other)).kind, 'updated');
    assert.equal(holds(other, 'below.two.example'), true);
  });

  it('keeps the old list when the new one cannot be read, with the reason', async (context) => {
    const { write, configured } = listFolder(context);
    const path = write('a.json', bundleOf('one.example'));
    const [list] = configured([{ name: 'a', path, format: 'stix' }]);
    assert.ok(list);
    assert.equal((await update(list)).kind, 'updated');
    const whole = bundleOf('two.example');
    const broken: Readonly<Record<string, string | Uint8Array>> = {
      truncated: whole.slice(0, -30),
      'not JSON': '<html>Sign in</html>',
      'another encoding': Buffer.from(whole, 'utf16le'),
      'not UTF-8': Buffer.from(whole.replace('two.', 'tw\xf6.'), 'latin1'),
      empty: '{"type": "bundle", "objects": []}',
    };
    let failures = 0;
    for (const [what, content] of Object.entries(broken)) {
      write('a.json', content);
      const outcome = await update(list);
      failures += 1;
      assert.equal(outcome.kind, 'failed', what);
      assert.match(outcome.kind === 'failed' ? outcome.reason : '', /\w{2}/, what);
      assert.equal(holds(list, 'one.example'), true, what);
      assert.equal(readState(list.folder).failures, failures, what);
      assert.ok(readState(list.folder).problem?.place.includes('a.json'), what);
    }
    write('a.json', whole);
    assert.equal((await update(list)).kind, 'updated');
    assert.equal(holds(list, 'two.example'), true);
    assert.equal(readState(list.folder).problem, undefined);
    assert.deepEqual(leftovers(list), []);
  });

  it('keeps the old list when its server refuses, breaks off or never ends', async (context) => {
    const { configured } = listFolder(context);
    let answer: Script = () => ({ headers: { etag: '"1"' }, body: 'one.example\n' });
    await using server = await startScriptedServer((request) => answer(request));
    const [text, taxii] = configured([
      { name: 'text', url: `${server.url}/list.txt` },
      { name: 'taxii', format: 'taxii', url: `${server.url}/api/`, collection: 'c1' },
    ]);
    assert.ok(text && taxii);
    assert.equal((await update(text)).kind, 'updated');
    const faults: readonly [string, Script, RegExp][] = [
      ['refused', () => ({ status: 401 }), /401/],
      ['broken', () => ({ status: 500, body: 'oops' }), /500/],
      ['cut off', () => 'truncate', /./],
      ['empty', () => ({ body: '' }), /empty/],
      ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<html><body>Sign in</body></html>' }), /./],
      ['an endless line', () => ({ body: 'x'.repeat(2_000_000) }), /longer than 1048576 bytes/],
    ];
    for (const [what, script, reason] of faults) {
      answer = script;
      const outcome = await update(text);
      assert.equal(outcome.kind, 'failed', what);
      assert.match(outcome.kind === 'failed' ? outcome.reason : '', reason, what);
      assert.equal(holds(text, 'one.example'), true, what);
    }
    assert.equal(readState(text.folder).failures, faults.length);
    answer = ({ headers }) => (headers['if-none-match'] === '"1"' ? { status: 304 } : { status: 500 });
    assert.deepEqual(await update(text), { kind: 'unchanged' });
    assert.equal(readState(text.folder).problem, undefined);
    answer = () => ({ status: 401 });
    const refused = await update(taxii);
    assert.equal(refused.kind, 'failed');
    assert.match(refused.kind === 'failed' ? refused.reason : '', /401/);
  });

  it('leaves a list to the process that updates it already', async (context) => {
    const { write, configured } = listFolder(context);
    const [list] = configured([{ name: 'a', path: write('a.txt', manyNames('a')) }]);
    assert.ok(list);
    const outcomes = await Promise.all([update(list), update(list), update(list)]);
    const kinds = outcomes.map(({ kind }) => kind);
    assert.ok(kinds.includes('updated'), kinds.join());
    assert.ok(!kinds.includes('failed'), kinds.join());
    const lock = lockListFolder(list.folder);
    assert.deepEqual(await update(list), { kind: 'busy' });
    lock?.release();
    assert.deepEqual(await update(list), { kind: 'unchanged' });
  });

  it('compiles a damaged file again', async (context) => {
    const { write, configured } = listFolder(context);
    const [list] = configured([{ name: 'a', path: write('a.txt', manyNames('a')) }]);
    assert.ok(list);
    const size = () => statSync(compiledPath(list.folder)).size;
    for (const damage of [
      () => truncateSync(compiledPath(list.folder), Math.floor(size() / 2)),
      () => writeFileSync(compiledPath(list.folder), Buffer.alloc(size(), 'x')),
      () => writeFileSync(compiledPath(list.folder), ''),
    ]) {
      assert.equal((await update(list)).kind, 'updated');
      assert.equal(holds(list, 'a7.example'), true);
      damage();
      assert.equal(holds(list, 'a7.example'), false);
    }
  });

  it('has the old list or the new one, whole, whenever it is killed', async (context) => {
    const { write, configured } = listFolder(context);
    const path = write('a.txt', manyNames('n0x'));
    const [list] = configured([{ name: 'a', path }]);
    assert.ok(list);
    const started = performance.now();
    await update(list);
    const duration = performance.now() - started;
    let interrupted = 0;
    for (let round = 1; round <= 12; round += 1) {
      write('a.txt', manyNames(`n${round}x`));
      const ending = new AbortController();
      const updating = update(list, { signal: ending.signal }).catch((error: Error) => error.name);
      await sleep(Math.random() * duration);
      ending.abort();
      if ((await updating) === 'AbortError') interrupted += 1;
      const open = new OpenLists([list], LOG);
      const entries: number | undefined = open.of(list).compiled?.summary.tables.domains;
      assert.equal(entries, NAMES);
      const held: readonly number[] = Array.from({ length: round + 1 }, (_, number) => number).filter((number) =>
        [0, NAMES - 1].every((at) => open.find(list, keysOfSelector('domain', `n${number}x${at}.example`)).length > 0),
      );
      assert.equal(held.length, 1, `exactly one list after kill ${round}`);
      open.close();
    }
    assert.ok(interrupted > 0);
    assert.notEqual((await update(list)).kind, 'failed');
    assert.equal(holds(list, 'n12x7.example'), true);
    assert.deepEqual(leftovers(list), []);
  });

  it('ends with the program that wanted it', async (context) => {
    const { folder, write, configured } = listFolder(context);
    const path = write('a.txt', manyNames('a').repeat(100));
    const lists = [{ name: 'a', path }];
    const [list] = configured(lists);
    assert.ok(list);
    const program = spawn(process.execPath, ['src/start.mjs', 'lists', 'update'], {
      env: {
        ...process.env,
        SVC_CONF_FOLDER: folder,
        SVC_DATA_FOLDER: join(folder, 'data'),
        SVC_ENRICHMENT_LISTS: JSON.stringify(lists),
      },
      stdio: 'ignore',
    });
    await until('it compiles', () => leftovers(list).length > 0);
    program.kill('SIGKILL');
    await once(program, 'exit');
    await until('nothing compiles', () => {
      const lock = lockListFolder(list.folder);
      lock?.release();
      return lock !== undefined;
    });
    assert.equal((await update(list)).kind, 'updated');
    assert.deepEqual(leftovers(list), []);
  });
});

const NAMES = 5000;

function manyNames(prefix: string): string {
  return Array.from({ length: NAMES }, (_, number) => `${prefix}${number}.example\n`).join('');
}

function bundleOf(domain: string): string {
  return JSON.stringify({
    type: 'bundle',
    id: 'bundle--1c1e0d5c-0b0e-4a3c-9b0f-4f3d2f1e0a01',
    objects: [
      {
        type: 'indicator',
        spec_version: '2.1',
        id: 'indicator--1c1e0d5c-0b0e-4a3c-9b0f-4f3d2f1e0a02',
        created: '2026-01-01T00:00:00.000Z',
        modified: '2026-01-01T00:00:00.000Z',
        pattern: `[domain-name:value = '${domain}']`,
        pattern_type: 'stix',
        valid_from: '2026-01-01T00:00:00Z',
      },
    ],
  });
}

function update(list: ConfiguredList, options: Partial<UpdateOptions> = {}) {
  return updateList(list, { signal: NEVER_ABORTED, ...options });
}

function holds(list: ConfiguredList, domain: string): boolean {
  const open = new OpenLists([list], LOG);
  try {
    return open.find(list, keysOfSelector('domain', domain)).length > 0;
  } finally {
    open.close();
  }
}

/** Files of an update that was not completed. */
function leftovers({ folder }: ConfiguredList): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('unfinished'));
  } catch {
    return [];
  }
}
