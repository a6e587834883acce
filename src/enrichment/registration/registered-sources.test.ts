import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openOfferingSources } from '../../testing/enrichment/offering-sources.ts';
import { readRegistration } from './registered-source.ts';
import { registeredSources } from './registered-sources.ts';

const SOURCE = { name: 'late', url: 'http://127.0.0.1:6408/base/', documentation_link: 'https://docs.example' };

describe('registeredSources', () => {
  it('adds, replaces and removes sources with the defaults of the settings', () => {
    const { directory, registered, engine } = open();
    registered.put(readRegistration({ ...SOURCE, max_classification: 'tlp:green' }, engine));
    const { settings } = directory.find('late') ?? {};
    const { origin, builtIn, url, maxClassification, documentationLink, concurrency, cache } = settings ?? {};
    assert.deepEqual(
      { origin, builtIn, url, maxClassification, documentationLink, concurrency, cache },
      {
        origin: 'registered',
        builtIn: false,
        url: 'http://127.0.0.1:6408/base',
        maxClassification: 'TLP:GREEN',
        documentationLink: 'https://docs.example/',
        concurrency: 16,
        cache: { ttl: 0, shared: false },
      },
    );
    registered.put(readRegistration({ ...SOURCE, include_default: false }, engine));
    assert.equal(directory.find('late')?.settings.includeDefault, false);
    assert.equal(directory.all().length, 2);
    registered.remove('late');
    registered.remove('late');
    assert.deepEqual(
      directory.all().map(({ settings: { name } }) => name),
      ['configured'],
    );
  });

  it('reserves the names of configured sources and of those of the program', () => {
    const { registered, engine } = open();
    registered.put(readRegistration(SOURCE, engine));
    for (const name of ['configured', 'facts', 'alerts', 'geo']) assert.equal(registered.isReserved(name), true);
    for (const name of ['late', 'other', 'constructor']) assert.equal(registered.isReserved(name), false);
  });
});

function open() {
  const { directory, engine } = openOfferingSources({ configured: {} });
  return {
    directory,
    engine,
    registered: registeredSources({
      sources: directory,
      engine,
      addresses: { privateAddresses: true },
      reserved: new Set(['facts', 'alerts', 'analysis', 'lists', 'geo', 'attack']),
    }),
  };
}
