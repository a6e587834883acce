import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SILENT } from '../../port/datastore-logger.ts';
import type { EngineHost } from './engine-host.ts';
import { openSearchEngine } from './search-engine-client.ts';

const URL = 'http://127.0.0.1:9';

/** Hosts that are rejected before a request is sent, with the expected messages. */
const WRONG: readonly (readonly [string, readonly EngineHost[], RegExp])[] = [
  ['none at all', [], /no server is named\. Give at least one address/],
  ['an address without a host', [{ name: 'a', url: 'http://' }], /the address of a is none/],
  ['a space in the address', [{ name: 'a', url: 'http://search engine:9200' }], /the address of a is none/],
  ['a port that there is not', [{ name: 'b', url: 'http://engine:99999' }], /the address of b is none/],
  ['a password that is not encoded', [{ name: 'a', url: 'http://u:secret%zz@engine' }], /percent-encoded/],
  [
    'one of several',
    [
      { name: 'a', url: URL },
      { name: 'b', url: 'https://[::1' },
    ],
    /the address of b is none/,
  ],
  ['an API key without secret', [{ name: 'a', url: URL, apikey_id: 'x' }], /a has apikey_id without apikey_secret/],
  ['a secret without key', [{ name: 'a', url: URL, apikey_secret: 'secret' }], /a has apikey_secret without apikey_id/],
];

describe('the hosts of a cluster', () => {
  for (const [what, hosts, message] of WRONG) {
    it(`are refused when they are wrong, without telling a secret: ${what}`, async () => {
      const started = performance.now();
      await assert.rejects(
        openSearchEngine({ vendor: 'opensearch', hosts, transportTimeout: 10_000, logger: SILENT }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'invalid_setting', error.stack);
          assert.match(error.message, /^datastore\.hosts: /);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /secret%zz|"secret"/);
          return true;
        },
      );
      assert.ok(performance.now() - started < 5000, 'it was tried');
    });
  }
});
