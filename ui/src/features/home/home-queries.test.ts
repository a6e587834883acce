import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compileQuery } from '../../../../src/datastore/query-language/compile-query.ts';
import { matches } from '../../../../src/datastore/query-language/matches.ts';
import { hitDocument } from '../../../../src/documents/kinds/hit.ts';
import { assignedQuery } from './home-queries.ts';

it('finds the open alerts of a user, regardless of the characters the name has', () => {
  for (const name of ['ana', 'a"b', 'a\\b', 'a* OR "b']) {
    const query = compileQuery(assignedQuery(name), hitDocument);
    const found = (assignment: string, status: string) =>
      matches(query, hitDocument, { howler: { assignment, status } } as never);
    assert.equal(found(name, 'open'), true, name);
    assert.equal(found(name, 'resolved'), false, name);
    assert.equal(found('another', 'open'), false, name);
  }
});
