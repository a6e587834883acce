import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { sendRequest } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';

const ADMIN = 'admin:devkey:admin';
/** Milliseconds until the program has noticed. */
const PATIENCE = 20_000;

async function start(context: TestContext, dataFolder: string): Promise<SpawnedProgram> {
  const program = await spawnProgram({ flags: ['--demo=users'], dataFolder });
  context.after(() => program.kill());
  return program;
}

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'triad-data-'));
  context.after(() => {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/** The statuses of `/healthz/` and of readiness, at every service. */
async function health({ addresses }: SpawnedProgram): Promise<readonly number[]> {
  const { alerts, analysis, enrichment } = addresses;
  const paths = [alerts, analysis, enrichment].map((url) => `${url}/healthz/`);
  const ready = [`${alerts}/api/healthz/ready`, `${analysis}/healthz/ready`, `${enrichment}/healthz/ready`];
  return Promise.all([...paths, ...ready].map(async (url) => (await sendRequest(url)).status));
}

const isWell = async (program: SpawnedProgram) => (await health(program)).every((status) => status === 200);
const isUnwell = async (program: SpawnedProgram) => (await health(program)).every((status) => status === 503);

/** Lines of the log about the folder. */
function reports({ log }: SpawnedProgram): readonly { readonly level: number; readonly msg: string }[] {
  const lines = log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  return lines.filter(({ folder, msg }) => folder !== undefined && /deleted|written/.test(msg));
}

const createAlert = (program: SpawnedProgram) =>
  sendRequest(`${program.alerts}/api/v1/hit/`, {
    ...{ method: 'POST', basic: ADMIN },
    json: [{ howler: { analytic: 'x', data: ['x'.repeat(100_000)] } }],
  });

describe('a data folder that is lost while the program runs', () => {
  for (const [what, lose] of Object.entries({
    // Again when the program makes a file meanwhile.
    deleted: (folder: string) => rmSync(folder, { recursive: true, maxRetries: 10 }),
    'moved away, and another one is there': (folder: string) => {
      renameSync(folder, `${folder}-old`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'documents.sqlite'), '');
    },
  })) {
    it(`${what}: said once, no service is well, and nothing is accepted that would be lost`, async (context) => {
      const folder = newFolder(context);
      context.after(() => rmSync(`${folder}-old`, { recursive: true, force: true }));
      const program = await start(context, folder);
      assert.ok(await isWell(program));
      assert.equal((await createAlert(program)).status, 201);
      lose(folder);
      // Without a request.
      await until('it is said', () => reports(program).length > 0, PATIENCE);
      assert.ok(await isUnwell(program));
      const refused = await createAlert(program);
      assert.equal(refused.status, 503, refused.text);
      assert.match(refused.json.api_error_message, /was deleted or replaced while the program runs.*Stop the program/);
      const { analysis, enrichment } = program.addresses;
      const headers = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
      assert.equal((await sendRequest(`${analysis}/api/v4/user/whoami/`, { headers })).status, 503);
      assert.equal((await sendRequest(`${enrichment}/api/v1/`, { basic: 'a:b' })).status, 503);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      assert.deepEqual(
        reports(program).map(({ level }) => level),
        [60],
      );
      program.child.kill('SIGTERM');
    });
  }
});

describe('a data folder that cannot be written while the program runs', () => {
  it('is said once, no service is well, and it is well again afterwards', async (context) => {
    const folder = newFolder(context);
    const program = await start(context, folder);
    // Root may write everywhere, so the check itself is made to fail.
    mkdirSync(join(folder, '.write-probe'));
    await until('it is said', () => reports(program).length > 0, PATIENCE);
    assert.ok(await isUnwell(program));
    assert.match(reports(program)[0]?.msg ?? '', /cannot be written .*EISDIR/);
    rmdirSync(join(folder, '.write-probe'));
    await until('it is well again', () => isWell(program), PATIENCE);
    assert.equal((await createAlert(program)).status, 201);
    // The log arrives through a pipe.
    await until('both are said', () => reports(program).length === 2, PATIENCE);
    assert.deepEqual(
      reports(program).map(({ level }) => level),
      [60, 30],
    );
    assert.equal(await program.stop(), 0);
    assert.ok(!existsSync(join(folder, '.write-probe')));
  });

  it('full disk: said once, changes are refused, reads continue, and writes resume when there is space', async (context) => {
    const folder = newFolder(context);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      return context.skip('nothing can be mounted here');
    }
    const program = await start(context, folder);
    const ballast = join(folder, 'ballast');
    for (let size = 32 * 1024; size >= 4; size = Math.floor(size / 2)) {
      // What does not fit is written as far as it fits.
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}-${size}`, 'bs=1024', `count=${size}`], { stdio: 'ignore' });
    }
    await until('it is said', () => reports(program).length > 0, PATIENCE);
    assert.match(reports(program)[0]?.msg ?? '', /cannot be written .*ENOSPC.*Free space/);
    assert.ok(await isUnwell(program));
    assert.equal((await createAlert(program)).status, 503);
    const whoami = await sendRequest(`${program.alerts}/api/v1/user/whoami`, { basic: ADMIN });
    assert.equal(whoami.status, 200, whoami.text);
    for (let size = 32 * 1024; size >= 4; size = Math.floor(size / 2)) rmSync(`${ballast}-${size}`, { force: true });
    await until('it is well again', async () => (await createAlert(program)).status === 201, PATIENCE);
    await until('it is said', () => isWell(program), PATIENCE);
    // The log arrives through a pipe.
    await until('both are said', () => reports(program).length === 2, PATIENCE);
    assert.deepEqual(
      reports(program).map(({ level }) => level),
      [60, 30],
    );
  });
});

describe('a data folder that cannot be created', () => {
  for (const [folder, code] of [
    ['/proc/x', 'ENOENT'],
    ['/proc/x/y/z', 'ENOENT'],
    ['/dev/null/x', 'ENOTDIR'],
    ['/dev/null', 'EEXIST'],
  ] as const) {
    it(`${folder}: the start ends with a message`, () => {
      const { status, stderr, signal } = spawnSync(process.execPath, ['src/start.mjs', 'serve'], {
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, SVC_DATA_FOLDER: folder, SVC_ALERTS_PORT: '0' },
        encoding: 'utf8',
        timeout: 30_000,
        killSignal: 'SIGKILL',
      });
      assert.deepEqual([status, signal], [1, null]);
      assert.match(stderr, new RegExp(`The data folder ${folder} cannot be created \\(${code}.*SVC_DATA_FOLDER`));
    });
  }
});
