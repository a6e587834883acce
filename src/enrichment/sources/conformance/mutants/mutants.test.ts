import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectToNotice, runBrokenAdapter } from '../../../../testing/run-broken-adapter.ts';
import { BROKEN_SOURCES } from './broken-sources.ts';

const SCRIPT = new URL('./run-broken-source.ts', import.meta.url);

describe('the suite of sources', () => {
  expectToNotice(SCRIPT, BROKEN_SOURCES);

  it('passes on the adapter that these are made from', async () => {
    const { failed, passed, output } = await runBrokenAdapter(SCRIPT, 'none');
    assert.deepEqual(failed, [], output);
    assert.ok(passed > 10, output);
  });
});
