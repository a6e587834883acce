import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceClient } from './service-client.ts';

const CALL = {
  signal: new AbortController().signal,
  deadline: Date.now() + 60_000,
  caller: { username: 'ana', classification: '' },
};

function clientAt(url: string, listening: string | undefined): ServiceClient {
  return new ServiceClient({ service: 'alerts', url, oboTarget: 'alerts', addressOf: () => listening });
}

describe('the address of a service', () => {
  for (const [url, listening, address] of [
    ['', 'http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
    ['', 'http://0.0.0.0:5000', 'http://127.0.0.1:5000'],
    ['', 'http://[::]:5000', 'http://[::1]:5000'],
    ['', 'http://192.0.2.7:80', 'http://192.0.2.7'],
    ['https://howler.example/api/base//', 'http://127.0.0.1:5000', 'https://howler.example/api/base'],
    ['', undefined, undefined],
  ] as const) {
    it(`is ${address} for ${url || listening}`, () => assert.equal(clientAt(url, listening).address, address));
  }

  it('is missing in one sentence where the service does not listen', async () => {
    await assert.rejects(clientAt('', undefined).ask('/', CALL), {
      kind: 'refused',
      message: 'The alert service does not listen in this process. Set enrichment.alerts.url to its address.',
    });
  });
});
