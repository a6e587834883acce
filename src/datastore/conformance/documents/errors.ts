import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { ABSENT, type Collection, MAX_DOCUMENT_SIZE } from '../../port/collection.ts';
import { MAX_RESULT_WINDOW } from '../../port/search.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill } from '../things.ts';

/** How each error of the port comes about. Everything else that an adapter throws is a defect. */
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
      for (const atomic of [false, true]) {
        const items = [
          { kind: 'save', id: 'c', document: { thing_id: 'c' } },
          { kind: 'update', id: 'a', operations: append },
        ] as const;
        const results = await things.bulk(items, { atomic }).catch(() => undefined);
        assert.equal(results?.[1]?.ok ?? false, false);
        assert.equal(await things.delete('c'), !atomic);
      }
      assert.deepEqual(await things.get('a', EVERYTHING), before);
    }
    const { document } = await things.update('a', [{ op: 'set', path: 'note', value: 'changed' }]);
    assert.equal(document.secret, half);
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
