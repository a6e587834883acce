import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outsideServer } from '../../testing/outside-servers.ts';
import { runBrokenAdapter } from '../../testing/run-broken-adapter.ts';
import { BROKEN_REDIS } from './conformance-broken.ts';

const SCRIPT = new URL('conformance-broken.ts', import.meta.url);

describe('the coordination suite on two processes', { skip: outsideServer('redis').unavailable ?? false }, () => {
  for (const [name, { fault, area, noticedBy }] of Object.entries(BROKEN_REDIS)) {
    it(`fails when ${fault}`, async () => {
      const { failed, output } = await runBrokenAdapter(SCRIPT, name, `: ${area} `);
      assert.ok(
        failed.some((test) => test.endsWith(` > ${noticedBy}`)),
        output,
      );
    });
  }
});
