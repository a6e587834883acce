import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openEmbeddedCoordination } from './embedded-coordination.ts';

describe('embedded coordination', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coordination-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('refuses a folder that another one has open, and says which', async () => {
    const first = await openEmbeddedCoordination({ folder });
    await assert.rejects(openEmbeddedCoordination({ folder }), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'data_folder_in_use');
      assert.ok(error.message.includes(folder));
      return true;
    });
    await first.close();
    await (await openEmbeddedCoordination({ folder })).close();
  });

  it('says what to do when the folder cannot be used', async () => {
    await writeFile(join(folder, 'a-file'), '');
    await assert.rejects(openEmbeddedCoordination({ folder: join(folder, 'a-file') }), {
      kind: 'unavailable',
      code: 'coordination_unavailable',
      message: /a-file.*Check that the folder is writable/,
    });
  });

  it('has everything that was answered after the process was killed, and no lock of the dead', async () => {
    const module = new URL('./embedded-coordination.ts', import.meta.url).href;
    const script = `
      const { openEmbeddedCoordination } = await import(${JSON.stringify(module)});
      const { tokens, queues, locks } = await openEmbeddedCoordination({ folder: ${JSON.stringify(folder)} });
      await locks.acquire('held', 60_000);
      for (let n = 1; ; n += 1) {
        await tokens.put('n', n, 60_000);
        await queues.push('n', [n]);
        process.stdout.write(n + '\\n');
        if (n % 50 === 0) await new Promise(setImmediate);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2000) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const answered = Number(output.split('\n').at(-2));

    const { tokens, queues, locks, close } = await openEmbeddedCoordination({ folder });
    assert.ok(Number(await tokens.get('n')) >= answered);
    const items = await queues.take<number>('n', { max: 100_000 });
    assert.ok(items.length >= answered);
    assert.ok(items.every(({ item }, index) => item === index + 1));
    assert.notEqual(await locks.acquire('held', 1000), undefined);
    await close();
  });

  it('delivers at once what a former process had taken', async () => {
    const former = await openEmbeddedCoordination({ folder });
    await former.queues.push('taken', ['a', 'b'], { ids: ['1', '2'] });
    await former.queues.take('taken', { visibility: 3_600_000 });
    await former.close();
    const { queues, close } = await openEmbeddedCoordination({ folder });
    const items = await queues.take('taken', { max: 2 });
    assert.deepEqual(
      items.map(({ item }) => item),
      ['a', 'b'],
    );
    await close();
  });

  it('opens the file of an earlier release and keeps its items', async () => {
    const earlier = new DatabaseSync(join(folder, 'coordination.db'));
    earlier.exec(`
      CREATE TABLE queue_items (sequence INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, priority REAL NOT NULL,
        item TEXT NOT NULL, taken_until REAL NOT NULL DEFAULT 0, receipt TEXT);
      INSERT INTO queue_items (queue, priority, item) VALUES ('old', 0, '"kept"');`);
    earlier.close();
    const { queues, close } = await openEmbeddedCoordination({ folder });
    await queues.push('old', ['new', 'new'], { ids: ['1', '1'] });
    assert.deepEqual(
      (await queues.peek('old', { max: 9 })).map(({ item, id }) => [item, id]),
      [
        ['kept', undefined],
        ['new', '1'],
      ],
    );
    await close();
  });

  it('removes what has expired by itself, and leaves what lives', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    let now = 0;
    const coordination = await openEmbeddedCoordination({ folder, now: () => now });
    for (let n = 0; n < 2500; n += 1) await coordination.tokens.put(`short:${n}`, n, 100);
    await coordination.counters.increment('short', 100);
    await coordination.tokens.put('long', 1, 1_000_000);
    now = 200;
    test.mock.timers.tick(30_000);
    test.mock.timers.tick(50);
    test.mock.timers.tick(50);
    now = 0;
    assert.equal(await coordination.tokens.removeWithPrefix('short:'), 0, 'the rows are gone');
    assert.equal(await coordination.counters.get('short'), 0);
    assert.equal(await coordination.tokens.get('long'), 1);
    await coordination.close();
  });
});
