import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import type { AnalyzerRequest } from '../analyzer.ts';
import { AnalyzerFailure, AnalyzerProcess } from './analyzer-process.ts';

const MEGABYTE = 1_048_576;
const LIMITS = { time: 20_000, memory: 512 * MEGABYTE };

let folder: string;
const started: AnalyzerProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-analyzer-test-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.end()));
  await rm(folder, { recursive: true, force: true });
});

/** Starts a process whose main file answers each request with what this code makes of it. */
async function start(code?: string): Promise<AnalyzerProcess> {
  const entry = join(folder, 'entry.mjs');
  await writeFile(
    entry,
    `import { Socket } from 'node:net';
     import { readFileSync, writeFileSync } from 'node:fs';
     const socket = new Socket({ fd: 3 });
     socket.once('end', () => process.exit());
     socket.on('data', (line) => { const request = JSON.parse(line); ${code} });
     function answer(result) { socket.write(JSON.stringify({ result }) + '\\n'); }`,
  );
  const process = await AnalyzerProcess.start(code === undefined ? { folder } : { folder, entry });
  started.push(process);
  return process;
}

function aRequest(process: AnalyzerProcess, changes: Partial<AnalyzerRequest> = {}): AnalyzerRequest {
  return {
    analyzer: 'Characterize',
    path: process.contentPath,
    folder: process.outputFolder,
    file: { sha256: 'a'.repeat(64), type: 'text/plain', name: 'a.txt', size: 3 },
    maxFiles: 10,
    parameters: {},
    config: {},
    temporaryData: {},
    timeLimit: LIMITS.time,
    ...changes,
  };
}

async function failureOf(running: Promise<unknown>): Promise<AnalyzerFailure> {
  const error = await running.then(
    () => assert.fail('the task did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AnalyzerFailure, String(error));
  return error;
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('AnalyzerProcess', () => {
  it('runs analyzers, one task after the other', async () => {
    const child = await start();
    await writeFile(child.contentPath, 'abc');
    for (const _ of [1, 2]) {
      const { sections } = await child.run(aRequest(child), LIMITS);
      assert.equal((sections as readonly { title_text: string }[])[0]?.title_text, 'File entropy: 1.585');
    }
    assert.ok(child.isAlive);
    assert.equal(await readFile(child.contentPath, 'utf8'), 'abc');
  });

  it('reports the error of an analyzer and stays alive', async () => {
    const child = await start();
    const failure = await failureOf(child.run(aRequest(child, { analyzer: 'Absent' }), LIMITS));
    assert.equal(failure.reason, 'analyzer');
    assert.match(failure.message, /no built-in analyzer "Absent"/);
    assert.ok(child.isAlive);
  });

  it('is killed at the time limit, also in the middle of a loop', async () => {
    const child = await start('for (;;);');
    const failure = await failureOf(child.run(aRequest(child), { ...LIMITS, time: 1000 }));
    assert.equal(failure.reason, 'time');
    assert.equal(failure.message, 'The analyzer was killed: it ran for more than 1 s.');
    assert.equal(child.isAlive, false);
    await until('the process is gone', () => isGone(child.pid ?? 0));
  });

  it('is killed at the memory limit, also for memory outside of the heap', async () => {
    const child = await start('const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 5);');
    const failure = await failureOf(child.run(aRequest(child), { ...LIMITS, memory: 200 * MEGABYTE }));
    assert.equal(failure.reason, 'memory');
    assert.match(failure.message, /^The analyzer was killed: it took \d+ MB of memory; 200 MB are allowed\.$/);
  });

  it('fails its task when the process is killed or ends by itself', async () => {
    const child = await start('globalThis.nothing = 1;');
    const running = child.run(aRequest(child), LIMITS);
    process.kill(child.pid ?? 0, 'SIGKILL');
    assert.match((await failureOf(running)).message, /^The process of the analyzer ended by SIGKILL\./);
    const other = await start('console.error("no luck"); process.exitCode = 3; process.exit();');
    const failure = await failureOf(other.run(aRequest(other), LIMITS));
    assert.equal(failure.reason, 'ended');
    assert.match(failure.message, /exit status 3\. Its last output: no luck/);
    assert.equal((await failureOf(other.run(aRequest(other), LIMITS))).reason, 'ended');
  });

  it('is killed for a reply that is endless, unreadable or not asked for', async () => {
    const endless = await start('setInterval(() => socket.write("x".repeat(1 << 20)), 1);');
    assert.match((await failureOf(endless.run(aRequest(endless), LIMITS))).message, /more than 16777216 bytes/);
    const unreadable = await start('socket.write("{\\n");');
    assert.match((await failureOf(unreadable.run(aRequest(unreadable), LIMITS))).message, /cannot be read/);
    const neither = await start('socket.write("[]\\n");');
    assert.match((await failureOf(neither.run(aRequest(neither), LIMITS))).message, /cannot be read/);
    const twice = await start('answer({}); setTimeout(() => answer({}), 50);');
    assert.deepEqual(await twice.run(aRequest(twice), LIMITS), {});
    await until('the process was killed', () => !twice.isAlive);
  });

  it('reads its own folder and the program alone, writes its output alone, and gets no environment', async () => {
    process.env.SVC_TEST_SECRET = 'hidden';
    const child = await start(`
      const attempt = (action) => { try { action(); return 'done'; } catch (error) { return error.code; } };
      answer({
        secret: process.env.SVC_TEST_SECRET ?? 'absent',
        content: attempt(() => readFileSync(request.path)),
        output: attempt(() => writeFileSync(request.folder + '/file', 'x')),
        system: attempt(() => readFileSync('/etc/passwd')),
        overwrite: attempt(() => writeFileSync(request.path, 'x')),
        other: attempt(() => writeFileSync(request.folder + '/../../entry.mjs', 'x')),
        spawn: attempt(() => process.getBuiltinModule('node:child_process').spawnSync('/bin/true')),
      });`);
    await writeFile(child.contentPath, 'abc');
    assert.deepEqual(await child.run(aRequest(child), LIMITS), {
      secret: 'absent',
      content: 'done',
      output: 'done',
      system: 'ERR_ACCESS_DENIED',
      overwrite: 'ERR_ACCESS_DENIED',
      other: 'ERR_ACCESS_DENIED',
      spawn: 'ERR_ACCESS_DENIED',
    });
    delete process.env.SVC_TEST_SECRET;
    await child.clean();
    assert.deepEqual(await readdir(child.outputFolder), []);
  });

  it('ends with a parent that is killed', async () => {
    const url = JSON.stringify(join(import.meta.dirname, 'analyzer-process.ts'));
    const code = `const { AnalyzerProcess } = await import(${url});
      const child = await AnalyzerProcess.start({ folder: ${JSON.stringify(folder)} });
      console.log(child.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(output));
    assert.equal(isGone(pid), false);
    parent.kill('SIGKILL');
    await until('the process ended', () => isGone(pid));
  });
});
