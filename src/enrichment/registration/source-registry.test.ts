import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { until } from '../../testing/until.ts';
import type { RegisteredSource } from './registered-source.ts';
import { SourceRegistry, type SourceRegistryDependencies } from './source-registry.ts';

const SOURCE = { name: 'late', url: 'http://127.0.0.1:6408' };
/** Milliseconds between reads of the table. */
const INTERVAL = 100;

describe('SourceRegistry', () => {
  it('makes a source known to all processes within a second, and removes it there', async (context) => {
    const { first, second } = await open(context);
    assert.equal(await first.registry.register({ ...SOURCE, classification: 'unrestricted', more: 1 }), 'late');
    const stored = { ...SOURCE, classification: 'UNRESTRICTED', production: false, include_default: true };
    assert.deepEqual(first.sources.get('late'), { ...stored, default_timeout: 30 });
    await until('the other process has it', () => second.sources.has('late'), 1000);
    assert.deepEqual(second.sources.get('late'), first.sources.get('late'));
    await second.registry.remove('late');
    assert.equal(second.sources.has('late'), false);
    await until('the other process has it no more', () => !first.sources.has('late'), 1000);
  });

  it('knows the sources of before after a restart', async (context) => {
    const { first, start } = await open(context);
    await first.registry.register(SOURCE);
    const third = start();
    await third.starting;
    assert.deepEqual([...third.sources.keys()], ['late']);
  });

  it('notices a change whose event was lost', async (context) => {
    const { coordination, second } = await open(context);
    await coordination.tables.put('enrichment.sources', 'late', { ...SOURCE, include_default: false });
    await until('it is read', () => second.sources.get('late')?.include_default === false);
  });

  it('subscribes once while a subscription takes long, and ends it when it is stopped meanwhile', async (context) => {
    const { coordination, start } = await open(context);
    const established = Promise.withResolvers<void>();
    let [begun, ended] = [0, 0];
    const events: Coordination['events'] = {
      publish: (channel, payload) => coordination.events.publish(channel, payload),
      async subscribe(pattern, listener) {
        begun += 1;
        await established.promise;
        const end = await coordination.events.subscribe(pattern, listener);
        return async () => {
          ended += 1;
          await end();
        };
      },
    };
    const { registry, starting } = start({ tables: coordination.tables, events });
    await sleep(5 * INTERVAL);
    assert.equal(begun, 1);
    const stopped = registry.stop();
    established.resolve();
    await Promise.all([starting, stopped]);
    assert.deepEqual([begun, ended], [1, 1]);
  });

  it('subscribes again after a failure', async (context) => {
    const { coordination, start } = await open(context);
    let failures = 2;
    const events: Coordination['events'] = {
      publish: (channel, payload) => coordination.events.publish(channel, payload),
      subscribe: (pattern, listener) =>
        failures-- > 0
          ? Promise.reject(new Unavailable('coordination_unavailable', 'gone'))
          : coordination.events.subscribe(pattern, listener),
    };
    const { registry, starting } = start({ tables: coordination.tables, events });
    await starting;
    await until('it is subscribed', () => failures < 0);
    await registry.stop();
  });

  it('replaces a source that was removed and registered again', async (context) => {
    const { first, second } = await open(context);
    await first.registry.register(SOURCE);
    await first.registry.remove('late');
    await first.registry.register({ ...SOURCE, url: 'http://127.0.0.1:1' });
    await until('it is replaced', () => second.sources.get('late')?.url === 'http://127.0.0.1:1');
  });

  it('gives a name to one source alone', async (context) => {
    const { first, second } = await open(context);
    const both = await Promise.allSettled([first, second].map(({ registry }) => registry.register(SOURCE)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    for (const name of ['late', 'configured']) {
      const again = first.registry.register({ ...SOURCE, name });
      await assert.rejects(again, { kind: 'conflict', code: 'source_exists' });
    }
    await first.registry.remove('configured');
    await first.registry.remove('unknown');
    assert.deepEqual([...first.sources.keys()], ['late']);
  });

  it('leaves out what it cannot use, and serves the others', async (context) => {
    const { coordination, first, warnings } = await open(context);
    await coordination.tables.putAll('enrichment.sources', {
      odd: { name: 'odd', url: 5 },
      none: null,
      configured: { ...SOURCE, name: 'configured' },
      late: SOURCE,
    });
    await until('the usable one is there', () => first.sources.has('late'));
    assert.deepEqual([...first.sources.keys()], ['late']);
    assert.ok(warnings.includes('the registered source odd cannot be used'));
  });

  it('has a limit', async (context) => {
    const { coordination, first } = await open(context);
    const many = Array.from({ length: 200 }, (_, index) => [`s${index}`, { ...SOURCE, name: `s${index}` }]);
    await coordination.tables.putAll('enrichment.sources', Object.fromEntries(many));
    await assert.rejects(first.registry.register(SOURCE), { code: 'too_many_sources' });
  });

  const wrong: Readonly<Record<string, unknown>> = {
    'no URL': { name: 'x' },
    'no name': { url: SOURCE.url },
    'a number as a name': { ...SOURCE, name: 5 },
    'a name that lists would split': { ...SOURCE, name: 'a|b' },
    'a name that paths would split': { ...SOURCE, name: 'a/b' },
    'an empty name': { ...SOURCE, name: '' },
    'an unknown classification': { ...SOURCE, classification: 'NONSENSE' },
    'null as a classification': { ...SOURCE, classification: null },
    'null as the highest classification': { ...SOURCE, max_classification: null },
    'a maintainer without an address': { ...SOURCE, maintainer: 'nobody' },
    'a link that is none': { ...SOURCE, datahub_link: 'nope' },
    'a link to a script': { ...SOURCE, documentation_link: 'javascript:alert(1)' },
    'a flag that is none': { ...SOURCE, include_default: 'perhaps' },
    'a string': 'x',
    'a list of sources': [SOURCE],
  };
  for (const [what, body] of Object.entries(wrong)) {
    it(`refuses ${what}`, async (context) => {
      const { first } = await open(context);
      await assert.rejects(first.registry.register(body), {
        code: 'invalid_source',
        message: 'Request data could not be converted to an ExternalSource object',
      });
      assert.equal(first.sources.size, 0);
    });
  }

  it('refuses an empty body in the words of the public system', async (context) => {
    const { first } = await open(context);
    for (const body of [{}, [], null]) {
      await assert.rejects(first.registry.register(body), { code: 'no_data', message: 'No data provided' });
    }
  });

  it('refuses link-local addresses, also behind names, and private ones where the settings say so', async (context) => {
    const { first } = await open(context);
    const { first: strict } = await open(context, false);
    const refused = { code: 'source_address_refused', at: 'url' };
    const metadata = 'http://169.254.169.254/latest http://[fe80::1]/ http://2852039166/ http://metadata.example';
    for (const url of [...metadata.split(' '), 'ftp://a.example', 'nowhere', 'http://a:b@c.example']) {
      await assert.rejects(first.registry.register({ ...SOURCE, url }), refused, url);
    }
    for (const url of ['http://127.0.0.1', 'http://private.example', 'http://[::ffff:10.0.0.1]']) {
      await assert.rejects(strict.registry.register({ ...SOURCE, url }), refused, url);
    }
    assert.equal(await first.registry.register({ ...SOURCE, name: 'a', url: 'http://private.example' }), 'a');
    assert.equal(await strict.registry.register({ ...SOURCE, name: 'b', url: 'https://public.example' }), 'b');
    assert.equal(await strict.registry.register({ ...SOURCE, name: 'c', url: 'https://unknown.example' }), 'c');
  });
});

const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'metadata.example': ['8.8.8.8', '169.254.169.254'],
  'private.example': ['10.0.0.1'],
  'public.example': ['8.8.8.8'],
};

/** Two processes over one coordination. */
async function open(context: { after(end: () => Promise<void>): void }, privateAddresses = true) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const warnings: string[] = [];
  const started: SourceRegistry[] = [];
  const start = (used: SourceRegistryDependencies['coordination'] = coordination) => {
    const sources = new Map<string, RegisteredSource>();
    const registry = new SourceRegistry({
      coordination: used,
      sources: {
        isReserved: (name) => name === 'configured',
        put: (source) => void sources.set(source.name, source),
        remove: (name) => void sources.delete(name),
      },
      engine: testClassification,
      addresses: {
        privateAddresses,
        resolve: async (host) => {
          const addresses = HOSTS[host];
          if (addresses === undefined) throw new Error(`${host} is unknown`);
          return addresses;
        },
      },
      log: { info() {}, warn: (_entry, message) => void warnings.push(message), error() {} },
      interval: INTERVAL,
    });
    started.push(registry);
    return { registry, sources, starting: registry.start() };
  };
  context.after(async () => {
    await Promise.all(started.map((registry) => registry.stop()));
    await coordination.close();
  });
  const [first, second] = [start(), start()];
  await Promise.all([first.starting, second.starting]);
  return { coordination, warnings, start, first, second };
}
