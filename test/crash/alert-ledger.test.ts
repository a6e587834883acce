import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert } from './alert-client.ts';
import { AlertLedger, type AlertRecord, type OpenRequest } from './alert-ledger.ts';

const stored = (id: string, changes: Partial<Alert> = {}): Alert => ({
  id,
  batch: 'b',
  score: 0,
  tags: [],
  status: 'open',
  assignment: 'unassigned',
  comments: [],
  ...changes,
});

/** A ledger with the alerts `a` and `b` of one answered batch. */
async function withBatch(): Promise<{ ledger: AlertLedger; record: AlertRecord }> {
  const ledger = new AlertLedger();
  await ledger.record({ kind: 'create', batch: 'b', count: 2 }, async () => ['a', 'b']);
  const record = ledger.records.get('a');
  assert.ok(record);
  return { ledger, record };
}

async function leaveOpen(ledger: AlertLedger, request: OpenRequest): Promise<void> {
  await assert.rejects(ledger.record(request, () => Promise.reject(new Error('killed'))));
}

describe('what the crash test finds wrong', () => {
  it('is nothing when everything answered is there', async () => {
    const { ledger, record } = await withBatch();
    await ledger.record({ kind: 'comment', record, value: 'c' }, async () => undefined);
    assert.deepEqual(ledger.settle([stored('a', { comments: ['c'] }), stored('b')]), []);
  });

  it('is an answered write that is missing', async () => {
    const { ledger, record } = await withBatch();
    await ledger.record({ kind: 'update', record, tag: 't' }, async () => undefined);
    assert.equal(ledger.settle([stored('a', { score: 1, tags: ['t'] })]).length, 1, 'b is lost');
    assert.equal(ledger.settle([stored('a'), stored('b')]).length, 2, 'score and tag are lost');
  });

  it('is a write that is there twice', async () => {
    const { ledger, record } = await withBatch();
    await ledger.record({ kind: 'comment', record, value: 'c' }, async () => undefined);
    assert.equal(ledger.settle([stored('a', { comments: ['c', 'c'] }), stored('b')]).length, 1);
    assert.equal(ledger.settle([stored('a', { comments: ['c'] }), stored('b'), stored('b')]).length, 1);
    assert.equal(ledger.settle([stored('a', { comments: ['c'] }), stored('b'), stored('copy')]).length, 1);
  });

  it('is a deleted alert that is there again', async () => {
    const { ledger, record } = await withBatch();
    await ledger.record({ kind: 'delete', records: [record] }, async () => undefined);
    assert.equal(ledger.settle([stored('a'), stored('b')]).length, 1);
  });

  it('is half of a batch that was not answered, and neither all of it nor none', async () => {
    for (const [there, problems] of [
      [[], 0],
      [['x'], 1],
      [['x', 'y'], 0],
    ] as const) {
      const { ledger } = await withBatch();
      await leaveOpen(ledger, { kind: 'create', batch: 'open', count: 2 });
      const alerts = [stored('a'), stored('b'), ...there.map((id) => stored(id, { batch: 'open' }))];
      assert.equal(ledger.settle(alerts).length, problems, there.join());
      assert.equal(ledger.records.size, 2 + there.length);
    }
  });

  it('is not a change that was not answered, done or not, as long as it is whole', async () => {
    const { ledger, record } = await withBatch();
    await leaveOpen(ledger, { kind: 'update', record, tag: 't' });
    assert.deepEqual(ledger.settle([stored('a'), stored('b')]), []);
    await leaveOpen(ledger, { kind: 'update', record, tag: 'u' });
    assert.deepEqual(ledger.settle([stored('a', { score: 1, tags: ['u'] }), stored('b')]), []);
    await leaveOpen(ledger, { kind: 'update', record, tag: 'v' });
    assert.equal(ledger.settle([stored('a', { score: 2, tags: ['u'] }), stored('b')]).length, 1, 'score without tag');
  });
});
