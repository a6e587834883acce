import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runBrokenAdapter } from '../../../testing/run-broken-adapter.ts';
import { BROKEN_FILE_STORAGES } from './broken-file-storages.ts';

const SCRIPT = new URL('run-broken-file-storage.ts', import.meta.url);

// That the suite passes on the sound adapter is a test of that adapter.
describe('the file-storage suite', () => {
  for (const [name, { fault, area, noticedBy }] of Object.entries(BROKEN_FILE_STORAGES)) {
    it(`fails when ${fault}`, async () => {
      const { failed, passed, output } = await runBrokenAdapter(SCRIPT, name, `: ${area} `);
      assert.ok(
        failed.some((test) => test.endsWith(` > ${noticedBy}`)),
        output,
      );
      assert.ok(passed > 0, `nothing passes, so it failed for another reason:\n${output}`);
    });
  }
});
