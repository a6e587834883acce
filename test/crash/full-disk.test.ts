import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { extractedFile, ScriptedWorker } from '../../src/testing/analysis/scripted-worker.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { sendRequest } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const SIZE = 4 * 1024 * 1024;
/** Seconds of a poll that must end with a task. */
const WAIT = 20;

describe('the file storage on a full disk', () => {
  it('refuses uploads with a sentence, keeps nothing of them, and what runs finishes', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'triad-full-'));
    const files = join(folder, 'files');
    mkdirSync(files);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', files]);
    context.after(() => {
      spawnSync('umount', ['-l', files]);
      rmSync(folder, { recursive: true, force: true });
    });
    if (mount.status !== 0) return context.skip('only root may mount a small disk');
    const environment = { SVC_ANALYSIS_ANALYZERS_ENABLED: 'none', SVC_UI_ENFORCE_QUOTA: 'false' };
    const program = await spawnProgram({ flags: ['--demo=users'], dataFolder: folder, environment });
    context.after(() => program.kill());
    const ask = (method: string, path: string, json?: unknown) =>
      sendRequest(`${program.addresses.analysis}/api/v4/${path}`, {
        ...{ method, headers: ADMIN },
        ...(json === undefined ? {} : { json }),
      });
    const submit = (plaintext: string) => ask('POST', 'submit/', { plaintext, name: 'a.txt', params: { ttl: 1 } });
    const worker = new ScriptedWorker(program.addresses.services ?? '', 'Disk');
    await worker.register();
    const running = (await submit('before the disk is full')).json.api_response.sid;
    const task = await worker.poll(WAIT);
    const before = storedBytes(files);

    const filler = fillDisk(context, files);
    const refused = await submit('x'.repeat(100_000));
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.json.api_error_message, /The disk is full\. Free space\./);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    const ingested = await ask('POST', 'ingest/', { plaintext: 'y'.repeat(100_000), name: 'b.txt' });
    assert.equal(ingested.status, 503, ingested.text);
    assert.deepEqual(storedBytes(files), before, 'something is left of refused uploads');
    const known = await ask('GET', `file/info/${'0'.repeat(64)}/`);
    assert.equal(known.status, 404);

    const child = 'z'.repeat(100_000);
    const extracted = [extractedFile(task, child)];
    assert.equal((await worker.deliver(task, { response: { extracted } })).data.success, false);
    await assert.rejects(worker.upload(task, child), 'a refusal makes workers drop their result');
    assert.deepEqual((await worker.deliver(task)).data, { success: true });
    await until('what runs finishes', async () => {
      const { json } = await ask('GET', `submission/${running}/`);
      return json.api_response.state === 'completed' && json.api_response.results.length === 1;
    });

    rmSync(filler);
    const accepted = await submit('x'.repeat(100_000));
    assert.equal(accepted.status, 200, accepted.text);
    await worker.deliver(await worker.poll(WAIT));
    const { json } = await ask('GET', 'search/file/?query=size:[1000 TO *]&fl=sha256');
    assert.equal(json.api_response.total, 1, 'a document of a refused file');
  });
});

/** Returns the files of the storage, those that are being written included. */
function storedBytes(files: string): readonly string[] {
  return readdirSync(files, { recursive: true, encoding: 'utf8' })
    .filter((name) => /[^/]{60}/.test(name) || name.startsWith('incoming/'))
    .toSorted();
}

/** Writes a file as large as the disk allows; its path. */
function fillDisk(context: TestContext, files: string): string {
  const path = join(files, 'filler');
  const file = openSync(path, 'w');
  context.after(() => rmSync(path, { force: true }));
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
  return path;
}
