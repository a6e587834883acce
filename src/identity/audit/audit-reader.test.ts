import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type AuditPage, AuditReader, type AuditSelection } from './audit-reader.ts';
import { PIECE } from './lines-backward.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const SIGNAL = new AbortController().signal;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'triad-audit-'));
  path = join(folder, 'audit.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Line of the event `number`, a second after the one before. */
const line = (number: number, members: object = {}) =>
  `${JSON.stringify({ log: 'audit', time: timeOf(number), event: 'login_failed', user: `user-${number}`, ...members })}\n`;
const timeOf = (number: number) => new Date(START + number * 1000).toISOString();
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index)).join('');
const read = (selection: Partial<AuditSelection> = {}) =>
  new AuditReader(path).read({ limit: 10, ...selection }, SIGNAL);
const numbers = ({ events }: AuditPage) => events.map(({ user }) => Number(String(user).slice('user-'.length)));
/** Writes a file that was put aside. */
const putAside = (name: string, text: string, number: number) => {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), new Date(START), new Date(START + number * 1000));
};
const all = async (selection: Partial<AuditSelection>) => {
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ ...selection, cursor });
    found.push(...numbers(page));
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
};
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('reading the audit log', () => {
  it('gives the newest first, in pages, over all files of the process and no others', async () => {
    putAside('20260101-0000-01-audit.log', lines(0, 25), 25);
    putAside('20260101-0001-01-audit.log', lines(25, 30), 30);
    putAside('20260101-0001-01-other-audit.log', lines(500, 600), 600);
    putAside('audit.log.txt', 'names of files', 600);
    writeFileSync(path, lines(30, 42));
    const first = await read();
    assert.deepEqual(numbers(first), range(32, 42).reverse());
    assert.equal('log' in (first.events[0] ?? {}), false);
    assert.deepEqual(await all({}), range(0, 42).reverse());
    assert.deepEqual(await all({ limit: 7 }), range(0, 42).reverse());
  });

  it('continues where it was when the file is put aside in between', async () => {
    writeFileSync(path, lines(0, 20));
    const { next } = await read();
    renameSync(path, join(folder, '20260101-0000-01-audit.log'));
    writeFileSync(path, lines(20, 25));
    assert.deepEqual(numbers(await read({ cursor: next })), range(0, 10).reverse());
    rmSync(join(folder, '20260101-0000-01-audit.log'));
    await assert.rejects(read({ cursor: next }), { code: 'audit_cursor_lost', at: 'cursor' });
    for (const cursor of ['', 'x', '1-', '../../etc/passwd', '9'.repeat(30), `${next}0000`]) {
      await assert.rejects(read({ cursor }), { code: 'audit_cursor_lost' }, cursor);
    }
  });

  it('finds by time, user and kind', async () => {
    putAside('20260101-0000-01-audit.log', lines(0, 5000), 5000);
    const other = line(5001, { user: 'lin', by: 'user-7', event: 'user_changed' });
    writeFileSync(path, line(5000) + other + line(5002, { by: 'lin', user: 'x"lin"' }) + lines(5003, 9000));
    assert.deepEqual(await all({ from: START + 4998_000, to: START + 5000_000 }), [5000, 4999, 4998]);
    assert.deepEqual(await all({ to: START + 2_000 }), [2, 1, 0]);
    assert.deepEqual(await all({ from: START + 8_998_000 }), [8999, 8998]);
    assert.deepEqual(await all({ from: START + 9_000_000 }), []);
    assert.deepEqual(await all({ to: START - 1 }), []);
    assert.deepEqual(numbers(await read({ user: 'user-4321' })), [4321]);
    assert.deepEqual(
      (await read({ user: 'lin' })).events.map(({ time }) => time),
      [timeOf(5002), timeOf(5001)],
    );
    assert.deepEqual(
      (await read({ user: 'user-7' })).events.map(({ event }) => event),
      ['user_changed', 'login_failed'],
    );
    assert.equal((await read({ events: ['user_changed'] })).events.length, 1);
    assert.equal((await read({ events: ['user_changed', 'login_failed'] })).events.length, 10);
    assert.deepEqual((await read({ events: ['nothing'] })).events, []);
  });

  it('passes over what is no event: parts of lines, other JSON, bytes, a line of 3 MB', async () => {
    const junk = ['{"log":"audit","time":"2026-01-0', 'null', '[]', '"x"', '{"time":1}', '\u0000\uFFFD', ''].join('\n');
    const long = `{"log":"audit","time":"${timeOf(3)}","event":"${'x'.repeat(3 * 1024 * 1024)}"}\n`;
    writeFileSync(path, `${lines(0, 3)}${long}${lines(3, 5)}${junk}\n${lines(5, 8)}${line(8).slice(0, 40)}`);
    assert.deepEqual(await all({}), range(0, 8).reverse());
    assert.deepEqual(await all({ limit: 1 }), range(0, 8).reverse());
    assert.deepEqual(await all({ to: START + 4000 }), range(0, 5).reverse());
  });

  it('sees every line, wherever pieces of the file end', async () => {
    for (const size of [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE]) {
      const pad = (text: string) => `${' '.repeat(Math.max(0, size - Buffer.byteLength(text) - 1))}\n${text}`;
      writeFileSync(path, lines(0, 2) + pad(lines(2, 4)) + lines(4, 4000));
      assert.deepEqual(await all({ limit: 1000 }), range(0, 4000).reverse(), String(size));
    }
  });

  it('ends a page after 64 MB, tells how far it came, and goes to a time without reading what is later', async () => {
    const count = 1_200_000;
    const file = await open(path, 'w');
    for (let from = 0; from < count; from += 20_000) await file.appendFile(lines(from, from + 20_000));
    await file.close();
    const page = await read({ user: 'user-3' });
    assert.deepEqual(page.events, []);
    assert.ok(page.next !== undefined && Date.parse(page.searchedTo ?? '') > START);
    assert.deepEqual(await all({ user: 'user-3' }), [3]);
    const early = await read({ to: START + 9000 });
    assert.deepEqual(numbers(early), range(0, 10).reverse());
  });

  it('stops when its caller is gone, and says what cannot be read', async () => {
    writeFileSync(path, lines(0, 100));
    const gone = new AbortController();
    gone.abort(new Error('the caller is gone'));
    await assert.rejects(new AuditReader(path).read({ limit: 10 }, gone.signal), /the caller is gone/);
    await assert.rejects(new AuditReader(join(folder, 'none', 'audit.log')).read({ limit: 1 }, SIGNAL), {
      code: 'audit_log_unreadable',
      message: /none.*Give the program the right/,
    });
  });
});
