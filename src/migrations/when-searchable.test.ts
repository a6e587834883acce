import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Unavailable } from '../errors/errors.ts';
import { whenSearchable } from './when-searchable.ts';

it('waits until the engine can search again, and no longer than it is allowed to run', async () => {
  let attempts = 0;
  const warnings: string[] = [];
  const search = async () => {
    attempts += 1;
    if (attempts < 3) throw new Unavailable('columns_rebuilding', '20 % done.');
    return attempts;
  };
  const run = (signal: AbortSignal) => whenSearchable(search, { warn: (message) => warnings.push(message), signal });
  assert.equal(await run(new AbortController().signal), 3);
  assert.deepEqual(warnings, ['Waiting until documents can be searched: 20 % done.']);
  attempts = Number.NEGATIVE_INFINITY;
  await assert.rejects(run(AbortSignal.timeout(50)), { name: 'TimeoutError' });
});
