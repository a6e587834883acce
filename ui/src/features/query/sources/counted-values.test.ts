import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueryField } from '../language/query-fields.ts';
import { countedValues, type ValueRequest } from './counted-values.ts';

const field: QueryField = { name: 'user.name', type: 'keyword' };
const { signal } = new AbortController();

function fixture(answer: Readonly<Record<string, number>>) {
  const requests: ValueRequest[] = [];
  let time = 0;
  const source = countedValues(
    async (request) => {
      requests.push(request);
      return answer;
    },
    () => ['a:b'],
    () => time,
  );
  return { source, requests, pass: (milliseconds: number) => (time += milliseconds) };
}

describe('values with counts', () => {
  it('are asked for with the rest of the query and the filters, the most frequent first', async () => {
    const { source, requests } = fixture({ ann: 1, bob: 3 });
    assert.deepEqual(await source(field, 'b', 'x:y', signal), [
      { value: 'bob', count: 3 },
      { value: 'ann', count: 1 },
    ]);
    assert.deepEqual(requests, [{ field: 'user.name', query: 'x:y', filters: ['a:b'], rows: 100 }]);
  });

  it('are asked for once in half a minute', async () => {
    const { source, requests, pass } = fixture({ ann: 1 });
    await source(field, '', '*:*', signal);
    await source(field, 'a', '*:*', signal);
    assert.equal(requests.length, 1);
    pass(30_001);
    await source(field, '', '*:*', signal);
    await source(field, '', 'x:y', signal);
    assert.equal(requests.length, 3);
  });

  it('of a field with many are narrowed by what is typed', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`v${index}`, 1]));
    const { source, requests } = fixture(many);
    await source(field, 'a b', '*:*', signal);
    assert.deepEqual(
      requests.map(({ filters }) => filters),
      [['a:b'], ['a:b', 'user.name:a\\ b*']],
    );
  });

  it('are not asked for where a list of them says nothing', async () => {
    const { source, requests } = fixture({ ann: 1 });
    for (const type of ['date', 'text', 'float', 'object']) {
      assert.deepEqual(await source({ ...field, type }, '', '*:*', signal), []);
    }
    assert.deepEqual(await source({ ...field, indexed: false }, '', '*:*', signal), []);
    assert.deepEqual(requests, []);
  });
});
