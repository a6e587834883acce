import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Export, exportAlerts, MAX_EXPORTED } from './export-alerts.ts';

const { signal } = new AbortController();

/** Returns pages of alerts, as many as are asked for, and notes the requests. */
function pagesOf(total: number, alert: (index: number) => object) {
  const asked: (readonly [cursor: string, rows: number])[] = [];
  const readPage: Export['readPage'] = async (cursor, rows) => {
    asked.push([cursor, rows]);
    const start = cursor === '*' ? 0 : Number(cursor);
    const count = Math.min(rows, total - start);
    const items = Array.from({ length: count }, (_, offset) => alert(start + offset));
    return { items, next: start + count < total ? String(start + count) : undefined };
  };
  return { readPage, asked };
}

const nothing = () => {};

describe('an export', () => {
  it('as CSV has the columns once, lists in words, and every alert', async () => {
    const { readPage } = pagesOf(1_500, (index) => ({ howler: { id: `h${index}` }, tags: ['a', 'b'], n: -index }));
    const counts: number[] = [];
    const fields = ['howler.id', 'tags', 'n', 'howler.id', 'missing'];
    const file = await exportAlerts({ readPage, fields, onProgress: (count) => counts.push(count) }, signal);
    const lines = (await file.content.text()).split('\r\n');
    assert.equal(lines[0], 'howler.id,tags,n,missing');
    assert.equal(lines[2], 'h1,"a; b",-1,');
    assert.equal(lines.length, 1_502);
    assert.deepEqual(counts, [1_000, 1_500]);
    assert.deepEqual([file.name, file.count, file.isCut], ['alerts.csv', 1_500, false]);
  });

  it('as NDJSON has whole alerts, a line each, read in small pages', async () => {
    const { readPage, asked } = pagesOf(250, (index) => ({ id: index, deep: { a: [1, 'x\n'] } }));
    const file = await exportAlerts({ readPage, onProgress: nothing }, signal);
    const lines = (await file.content.text()).trimEnd().split('\n');
    assert.deepEqual(JSON.parse(lines[249] ?? ''), { id: 249, deep: { a: [1, 'x\n'] } });
    assert.deepEqual(asked, [
      ['*', 200],
      ['200', 200],
    ]);
    assert.equal(file.name, 'alerts.ndjson');
  });

  it('ends at its greatest length, in alerts and in characters, and says so', async () => {
    const many = await exportAlerts(
      { ...pagesOf(MAX_EXPORTED + 1_000, () => ({})), fields: ['a'], onProgress: nothing },
      signal,
    );
    assert.deepEqual([many.count, many.isCut], [MAX_EXPORTED, true]);
    const large = await exportAlerts(
      { ...pagesOf(1_000, () => ({ text: 'x'.repeat(1_000) })), onProgress: nothing, maxCharacters: 300_000 },
      signal,
    );
    assert.deepEqual([large.count, large.isCut], [400, true]);
  });

  it('of nothing has the heads of its columns', async () => {
    const file = await exportAlerts({ ...pagesOf(0, () => ({})), fields: ['a', 'b'], onProgress: nothing }, signal);
    assert.equal(await file.content.text(), 'a,b\r\n');
    assert.equal(file.count, 0);
  });

  it('ends when it is cancelled: no further page is read', async () => {
    const cancelling = new AbortController();
    const { readPage, asked } = pagesOf(10_000, () => ({}));
    const running = exportAlerts({ readPage, onProgress: () => cancelling.abort() }, cancelling.signal);
    await assert.rejects(running, { name: 'AbortError' });
    assert.equal(asked.length, 1);
  });
});
