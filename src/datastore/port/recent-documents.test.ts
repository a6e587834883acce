import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Collection, Versioned } from './collection.ts';
import { unrestricted } from './read-access.ts';
import { RecentDocuments } from './recent-documents.ts';

it('does not wait for a read that began more than a second ago: it may have seen what has been revoked since', async () => {
  const reads: PromiseWithResolvers<Versioned<string> | undefined>[] = [];
  const getVersioned = () => {
    const read = Promise.withResolvers<Versioned<string> | undefined>();
    reads.push(read);
    return read.promise;
  };
  let now = 0;
  const recent = new RecentDocuments<string>({
    collection: { getVersioned } as unknown as Collection<string>,
    access: unrestricted('a test'),
    now: () => now,
  });
  const first = recent.get('user');
  now = 900;
  const joined = recent.get('user');
  assert.equal(reads.length, 1);
  now = 1100;
  const later = recent.get('user');
  reads[1]?.resolve({ document: 'revoked', version: '2---1' });
  assert.equal(await later, 'revoked');
  reads[0]?.resolve({ document: 'good', version: '1---1' });
  assert.deepEqual([await first, await joined], ['good', 'good']);
  assert.equal(await recent.get('user'), 'revoked');
});
