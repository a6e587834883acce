import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectToNotice, runBrokenAdapter } from '../../../testing/run-broken-adapter.ts';
import { BROKEN_COORDINATIONS } from './broken-coordinations.ts';

const SCRIPT = new URL('./run-broken-coordination.ts', import.meta.url);

describe('the coordination suite', () => {
  expectToNotice(SCRIPT, BROKEN_COORDINATIONS);

  it('passes on the adapter that these are made from', async () => {
    const { failed, passed, output } = await runBrokenAdapter(SCRIPT, 'none');
    assert.deepEqual(failed, [], output);
    assert.ok(passed > 40, output);
  });
});
