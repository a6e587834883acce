import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABSENT } from '../../port/versions.ts';
import type { Outcome } from '../worker-calls.ts';
import { openForWriting } from './document-database.ts';
import { DocumentWriter, type WriteCall, type WriteItem, type WriteItemResult } from './document-writer.ts';

describe('DocumentWriter', () => {
  it('commits requests together, and a refused one does not disturb its neighbours', () => {
    const { writer, documents } = setUp();
    const outcomes = writer.commit([
      items([save('a', 1)]),
      items([save('a', 2, ABSENT)]),
      { method: 'administer', args: ['delete', ['nowhere']] },
      items([save('b', 3)]),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => 'result' in outcome),
      [true, true, false, true],
    );
    assert.equal(codeOf(outcomes[1]), 'already_exists');
    assert.deepEqual(documents(), { a: 1, b: 3 });
  });

  it('undoes an atomic bulk as a whole, with the reason of the first item that failed', () => {
    const { writer, documents } = setUp();
    const [outcome] = writer.commit([items([save('a', 1), save('b', 2, '7---1'), save('c', 3)], true)]);
    assert.equal(codeOf(outcome), 'version_conflict');
    assert.deepEqual(documents(), {});
    assert.deepEqual(
      resultsOf(writer.commit([items([save('a', 1)], true)])[0]).map(({ ok }) => ok),
      [true],
    );
  });

  it('takes a defect in one request for that one alone', () => {
    const { writer, documents } = setUp();
    const broken = { method: 'items', args: ['things', [{ kind: 'save', id: 'x', json: undefined }], {}] };
    const outcomes = writer.commit([items([save('a', 1)]), broken as unknown as WriteCall, items([save('b', 2)])]);
    assert.deepEqual(
      outcomes.map((outcome) => 'result' in outcome),
      [true, false, true],
    );
    assert.deepEqual(documents(), { a: 1, b: 2 });
  });

  it('fails everything and changes nothing when storage fails', () => {
    const { writer, database, documents } = setUp();
    writer.commit([items([save('a', 1)])]);
    database.exec('PRAGMA max_page_count = 1');
    const large: WriteItem = { kind: 'save', id: 'b', json: JSON.stringify('x'.repeat(1_000_000)) };
    const outcomes = writer.commit([items([save('a', 2)]), items([large])]);
    assert.deepEqual(outcomes.map(codeOf), ['datastore_unavailable', 'datastore_unavailable']);
    assert.deepEqual(documents(), { a: 1 });
    database.exec('PRAGMA max_page_count = 1000000');
    writer.commit([items([save('a', 3)])]);
    assert.deepEqual(documents(), { a: 3 });
  });

  it('never gives a number twice, not even after a failure', () => {
    const { writer } = setUp();
    const versions = [save('a', 1), save('a', 2), save('b', 1)].map(
      (item) => resultsOf(writer.commit([items([item])])[0])[0],
    );
    assert.deepEqual(
      versions.map((result) => result?.ok && result.version),
      ['1---1', '2---1', '3---1'],
    );
  });

  it('knows the size of an index without looking at its documents', () => {
    const { writer, size } = setUp();
    writer.commit([items([save('a', 1), save('b', 22)])]);
    writer.commit([items([save('a', 333), { kind: 'delete', id: 'b' }])]);
    writer.commit([items([save('c', 1), save('d', 1, '9---1')], true)]);
    assert.deepEqual(size(), { documents: 1, bytes: 3 });
  });
});

function setUp() {
  const database = openForWriting('memory');
  const writer = new DocumentWriter(database);
  writer.commit([{ method: 'administer', args: ['create', ['things', { fingerprint: 'f', body: '{}' }]] }]);
  const documents = () =>
    Object.fromEntries(
      database
        .prepare('SELECT id, json FROM documents_1 ORDER BY id')
        .all()
        .map(({ id, json }) => [id, JSON.parse(String(json))]),
    );
  const size = () => ({ ...database.prepare('SELECT documents, bytes FROM indices').get() });
  return { database, writer, documents, size };
}

function save(id: string, value: number, ifVersion?: string): WriteItem {
  return { kind: 'save', id, json: JSON.stringify(value), ifVersion };
}

function items(list: readonly WriteItem[], atomic = false): WriteCall {
  return { method: 'items', args: ['things', list, { atomic, returnDocuments: false }] };
}

function resultsOf(outcome: Outcome | undefined): readonly WriteItemResult[] {
  assert.ok(outcome && 'result' in outcome);
  return outcome.result as readonly WriteItemResult[];
}

function codeOf(outcome: Outcome | undefined): string | undefined {
  if (outcome && 'failure' in outcome) return outcome.failure.code;
  const failed = resultsOf(outcome).find((result) => !result.ok);
  return failed && !failed.ok ? failed.failure.code : undefined;
}
