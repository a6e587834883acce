import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { FileContent } from '../../../file-storage/file-storage.ts';
import type { Task } from '../../dispatching/task.ts';
import { OutputFiles } from './output-files.ts';

const TASK = {
  max_files: 3,
  ttl: 0,
  min_classification: 'TLP:CLEAR',
  safelist_config: { enabled: true },
  deep_scan: false,
  ignore_filtering: false,
} as unknown as Task;
const named = (...files: readonly string[]) => files.map((file) => ({ file, name: `${file}.txt`, description: 'd' }));

describe('OutputFiles', () => {
  it('stores files in their order, without an expiry for a task without one', async (context) => {
    const { output, folder, saved } = await setUp(context);
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), name);
    const { extracted, supplementary, safe } = await output.store(TASK, folder, {
      extracted: named('c', 'a'),
      supplementary: named('b'),
    });
    assert.deepEqual(
      [...extracted, ...supplementary].map(({ sha256, name, parent_relation }) => [sha256, name, parent_relation]),
      [
        ['c', 'c.txt', 'EXTRACTED'],
        ['a', 'a.txt', 'EXTRACTED'],
        ['b', 'b.txt', 'INFORMATION'],
      ],
    );
    assert.deepEqual(safe, []);
    assert.deepEqual([...saved].sort(), ['a undefined', 'b undefined supplementary', 'c undefined']);
  });

  it('keeps files on the safelist for submissions that want everything', async (context) => {
    const { output, folder, safe, discarded } = await setUp(context);
    await writeFile(join(folder, 'a'), 'a');
    safe.add('a');
    const lists = { extracted: named('a'), supplementary: undefined };
    assert.deepEqual((await output.store(TASK, folder, lists)).safe, ['a.txt']);
    assert.deepEqual(discarded, ['a']);
    assert.equal((await output.store({ ...TASK, deep_scan: true }, folder, lists)).extracted.length, 1);
  });

  it('takes nothing from outside of the folder, no folder, no link, and not more than the task allows', async (context) => {
    const { output, folder, saved } = await setUp(context);
    await writeFile(join(folder, '..', 'secret'), 'x');
    await mkdir(join(folder, 'folder'));
    await symlink('../secret', join(folder, 'link'));
    for (const extracted of [
      named('../secret'),
      named('/etc/passwd'),
      named('a\0b'),
      named('absent'),
      named('folder'),
      named('link'),
      named('a', 'b', 'c', 'd'),
      [{ file: 'a', name: '' }],
      [{ file: 5, name: 'a' }],
      [null],
      { length: 1 },
      'text',
    ]) {
      const storing = output.store(TASK, folder, { extracted, supplementary: undefined });
      await assert.rejects(storing, { reason: 'reply' }, JSON.stringify(extracted));
    }
    assert.deepEqual(saved, []);
  });
});

/** Content is its own hash. */
async function setUp(context: TestContext) {
  const parent = await mkdtemp(join(tmpdir(), 'triad-output-'));
  context.after(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'output');
  await mkdir(folder);
  const saved: string[] = [];
  const discarded: string[] = [];
  const safe = new Set<string>();
  const output = new OutputFiles<{ sha256: string; sha1: string }, string>({
    maxSize: 100,
    safeFiles: async (ids) => new Set(ids.filter((id) => safe.has(id))),
    files: {
      async receive(content: FileContent) {
        const chunks = await Array.fromAsync(content as AsyncIterable<Uint8Array>);
        const sha256 = Buffer.concat(chunks).toString();
        return { sha256, sha1: `sha1 of ${sha256}` };
      },
      describe: async ({ sha256 }) => sha256,
      saveOrFreshen: async (sha256, { expiry, isSupplementary }) =>
        saved.push(`${sha256} ${expiry}${isSupplementary ? ' supplementary' : ''}`),
      discard: async ({ sha256 }) => void discarded.push(sha256),
    },
  });
  return { output, folder, saved, discarded, safe };
}
