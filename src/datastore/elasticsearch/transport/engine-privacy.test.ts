import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { openSearchEngine } from './search-engine-client.ts';

const VERSIONS = {
  elasticsearch: { number: '8.19.0' },
  opensearch: { number: '3.1.0', distribution: 'opensearch' },
} as const;
const HEADERS = { 'x-elastic-product': 'Elasticsearch' };

describe('what errors of a connection tell', () => {
  for (const vendor of ['elasticsearch', 'opensearch'] as const) {
    for (const fault of ['reset', 'hang', 'truncate'] as const) {
      it(`is no credential, however deep one looks: ${vendor}, ${fault}`, async () => {
        let isBroken = false;
        await using server = await startScriptedServer(() =>
          isBroken ? fault : { headers: HEADERS, body: { version: VERSIONS[vendor] } },
        );
        const told: unknown[] = [];
        const engine = await openSearchEngine({
          vendor,
          hosts: [{ name: 'test', url: server.url, username: 'user', password: 'password of the engine' }],
          transportTimeout: 300,
          logger: {
            info: () => undefined,
            warn: (...given) => told.push(given),
            error: (...given) => told.push(given),
          },
        });
        isBroken = true;
        await engine.request({ method: 'GET', path: '/x' }).catch((error) => told.push(error));
        await engine.close();
        assert.equal(told.length, 2);
        const text = inspect(told, { depth: 50, showHidden: true });
        assert.ok(!text.includes('password of the engine'));
        assert.ok(!text.includes(Buffer.from('user:password of the engine').toString('base64')));
      });
    }
  }
});

describe('the version of the engine', () => {
  it('is refused where points in time are missing', async () => {
    for (const [number, isTaken] of [
      ['2.3.0', false],
      ['2.4.0', true],
      ['2.19.1', true],
      ['3.0.0', true],
    ] as const) {
      await using server = await startScriptedServer(() => ({ body: { version: { ...VERSIONS.opensearch, number } } }));
      const opened = openSearchEngine({
        vendor: 'opensearch',
        hosts: [{ name: 'test', url: server.url }],
        transportTimeout: 2000,
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      });
      if (isTaken) await (await opened).close();
      else await assert.rejects(opened, { code: 'datastore_unsupported', message: /2\.4/ }, number);
    }
  });
});
