import assert from 'node:assert/strict';
import { it } from 'node:test';
import { partsOf, queryOfPart } from './value-parts.ts';

it('has a part for each value, also for one called like the rest, and the query of each', () => {
  const parts = partsOf('howler.analytic', ['rest', '', 'a "b"']).map((part) => ({ ...part, count: 1 }));
  assert.equal(new Set(parts.map(({ id }) => id)).size, 3);
  assert.deepEqual(
    parts.map((part) => queryOfPart('NOT x:y', 'howler.analytic', parts, part)),
    [
      'NOT x:y AND howler.analytic:("rest")',
      'NOT x:y AND howler.analytic:("a \\"b\\"")',
      'NOT x:y AND NOT howler.analytic:("rest" OR "a \\"b\\"")',
    ],
  );
  const [rest] = partsOf('howler.analytic', []).map((part) => ({ ...part, count: 1 }));
  assert.equal(rest && queryOfPart('NOT x:y', 'howler.analytic', [rest], rest), 'NOT x:y');
});
