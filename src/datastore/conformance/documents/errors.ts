import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { type Collection, MAX_DOCUMENT_SIZE, MAX_LIST_LENGTH } from '../../port/collection.ts';
import { MAX_RESULT_WINDOW } from '../../port/search.ts';
import { ABSENT } from '../../port/versions.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill } from '../things.ts';

/** The operations that cause each error of the port. Any other error of an adapter is a defect. */
const PROVOKED: Readonly<
  Record<string, { kind: string; provoke(things: Collection<StoredDocument>): Promise<unknown> }>
> = {
  version_conflict: {
    kind: 'conflict',
    provoke: async (things) => {
      const version = await things.save('a', { thing_id: 'a' });
      await things.save('a', { thing_id: 'a' });
      await things.save('a', { thing_id: 'a' }, { ifVersion: version });
    },
  },
  already_exists: {
    kind: 'conflict',
    provoke: (things) => things.save('a', { thing_id: 'a' }, { ifVersion: ABSENT }),
  },
  invalid_version: {
    kind: 'invalid_input',
    provoke: (things) => things.save('a', { thing_id: 'a' }, { ifVersion: 'nonsense' }),
  },
  document_missing: {
    kind: 'not_found',
    provoke: (things) => things.update('missing', []),
  },
  invalid_update: {
    kind: 'invalid_input',
    provoke: (things) => things.update('a', [{ op: 'increment', path: 'name', by: 1 }]),
  },
  document_too_large: {
    kind: 'too_large',
    provoke: (things) => things.update('a', [{ op: 'set', path: 'secret', value: 'x'.repeat(MAX_DOCUMENT_SIZE) }]),
  },
  unknown_sort_field: {
    kind: 'invalid_input',
    provoke: (things) => things.search({ ...ALL, sort: [{ field: 'nothing', order: 'asc' }] }, EVERYTHING),
  },
  result_window_too_large: {
    kind: 'invalid_input',
    provoke: (things) => things.search({ ...ALL, offset: MAX_RESULT_WINDOW, rows: 1 }, EVERYTHING),
  },
  group_field_unsupported: {
    kind: 'invalid_input',
    provoke: (things) => things.group({ ...ALL, field: 'note' }, EVERYTHING),
  },
};

export function errorsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  for (const [code, { kind, provoke }] of Object.entries(PROVOKED)) {
    it(`says ${code}`, async () => {
      const things = opened.things();
      await fill(things, [{ thing_id: 'a', name: 'x', note: 'words' }]);
      await assert.rejects(provoke(things), (error: unknown) => {
        assert.ok(isTriadError(error), `not an error of ours: ${error}`);
        assert.deepEqual({ kind: error.kind, code: error.code }, { kind, code });
        assert.match(error.message, /\w+ \w+/);
        return true;
      });
    });
  }

  it('refuses a document above the limit on every way of writing, and takes one below it', async () => {
    const things = opened.things();
    const half = 'x'.repeat(MAX_DOCUMENT_SIZE / 2);
    const before = { thing_id: 'a', name: 'x', secret: half };
    await fill(things, [before]);
    // Three bytes of UTF-8 each.
    for (const rest of ['x'.repeat(MAX_DOCUMENT_SIZE / 2), '€'.repeat(MAX_DOCUMENT_SIZE / 6)]) {
      const refusal = { kind: 'too_large', code: 'document_too_large', message: /at most 4194304 are allowed/ };
      const append = [{ op: 'append', path: 'tags', value: rest }] as const;
      const document = { ...before, tags: [rest] };
      await assert.rejects(things.save('a', document), refusal);
      await assert.rejects(things.save('b', { ...document, thing_id: 'b' }, { ifVersion: ABSENT }), refusal);
      await assert.rejects(things.update('a', append), refusal);
      await assert.rejects(things.updateWhere(ALL, append, { access: EVERYTHING, visible: 'now' }), refusal);
      const results = await things.bulk([
        { kind: 'save', id: 'c', document: { thing_id: 'c' } },
        { kind: 'update', id: 'a', operations: append },
      ]);
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [true, false],
      );
      assert.equal(await things.delete('c'), true);
      assert.deepEqual(await things.get('a', EVERYTHING), before);
    }
    const { document } = await things.update('a', [{ op: 'set', path: 'note', value: 'changed' }]);
    assert.equal(document.secret, half);
  });

  it('refuses a list above the limit on every way of writing, and takes one at it', async () => {
    const things = opened.things();
    const full = { thing_id: 'a', tags: Array.from({ length: MAX_LIST_LENGTH }, (_, at) => `t${at % 7}`) };
    await fill(things, [full]);
    const refusal = { kind: 'too_large', code: 'list_too_long', at: 'tags', message: /10001 values; at most 10000/ };
    for (const op of ['append', 'prepend', 'append_missing'] as const) {
      const add = [{ op, path: 'tags', value: 'new' }] as const;
      await assert.rejects(things.update('a', add), refusal);
      await assert.rejects(things.updateWhere(ALL, add, { access: EVERYTHING, visible: 'now' }), refusal);
    }
    const tags = [...full.tags, 'new'];
    await assert.rejects(things.save('b', { thing_id: 'b', tags }), refusal);
    // Lists in lists are one list of the field.
    const nested = [tags.slice(0, 5000), tags.slice(5000)] as unknown as string[];
    await assert.rejects(things.save('b', { thing_id: 'b', tags: nested }), refusal);
    const bulk = things.bulk([{ kind: 'save', id: 'b', document: { thing_id: 'b', tags } }]);
    assert.equal((await bulk.catch(() => undefined))?.[0]?.ok ?? false, false);
    assert.equal(await things.get('b', EVERYTHING), undefined);
    assert.deepEqual(await things.get('a', EVERYTHING), full);
    await things.update('a', [{ op: 'remove', path: 'tags', value: 't1' }], { visible: 'now' });
    const append = [{ op: 'append', path: 'tags', value: 'new' }] as const;
    const { document } = await things.update('a', append, { visible: 'now' });
    assert.equal((document.tags as readonly unknown[]).length, MAX_LIST_LENGTH);
    const { buckets } = await things.facet({ ...ALL, field: 'tags', rows: 10 }, EVERYTHING);
    assert.equal(buckets.length, 8);
  });

  it('refuses rows and offsets that are no counts', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a', name: 'x' }]);
    for (const bad of [{ rows: -1 }, { offset: -1 }, { rows: 1.5 }, { rows: Number.NaN }, { offset: Infinity }]) {
      await assert.rejects(
        things.search({ ...ALL, ...bad }, EVERYTHING),
        { kind: 'invalid_input' },
        JSON.stringify(bad),
      );
    }
    await assert.rejects(things.facet({ ...ALL, field: 'name', rows: 0 }, EVERYTHING), { kind: 'invalid_input' });
    await assert.rejects(things.facet({ ...ALL, field: 'name', rows: -1 }, EVERYTHING), { kind: 'invalid_input' });
  });

  it('gives up a search after its time', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a' }]);
    // A search may well be faster than a millisecond; then it answers.
    const outcome = await things.search({ ...ALL, timeout: 1 }, EVERYTHING).then(
      ({ total }) => total,
      (error: unknown) => (isTriadError(error) ? error.code : error),
    );
    assert.ok(outcome === 1 || outcome === 'search_timeout', `${outcome}`);
  });

  it('works on after every error', async () => {
    const things = opened.things();
    for (const { provoke } of Object.values(PROVOKED)) await provoke(things).catch(() => undefined);
    await fill(things, [{ thing_id: 'last' }]);
    assert.notEqual(await things.get('last', EVERYTHING), undefined);
  });
}
