import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { openAdapters } from './open-adapters.ts';

const engine = loadClassification(DEMO_CLASSIFICATION);

describe('the settings of adapters', () => {
  it('open nothing until one is named, and none that is switched off', () => {
    assert.deepEqual(open({}).sources, []);
    assert.deepEqual(open({ crtsh: { enabled: false } }).sources, []);
  });

  it('have the limits of the vendor, a shared cache, and no part in lookups that name no sources', () => {
    const [{ settings, reach } = {}] = open({ virustotal: { api_key: 'k' } }).sources;
    assert.equal(reach, 'passive');
    assert.deepEqual(settings?.rateLimits, ['4/minute', '500/day', '15500/month']);
    assert.deepEqual(settings?.cache, { ttl: 900, shared: true });
    assert.deepEqual([settings?.includeDefault, settings?.valuesPerCall], [false, 1]);
    assert.equal(settings?.maxClassification, engine.unrestricted);
    assert.equal(settings?.documentationLink, 'https://docs.virustotal.com/reference/overview');
  });

  it('take other names, limits and classifications', () => {
    const own = {
      adapter: 'misp',
      url: 'https://misp.example.org/',
      api_key: 'k',
      rate_limits: '2/second',
      classification: 'restricted',
      include_default: true,
    };
    const [source] = open({ 'our-misp': own, dns: {} }).sources;
    assert.equal(source?.name, 'our-misp');
    assert.deepEqual(source?.settings?.rateLimits, ['2/second']);
    assert.equal(source?.settings?.url, 'https://misp.example.org');
    assert.equal(source?.settings?.includeDefault, true);
    assert.equal(source?.source.types().domain, engine.normalise('RESTRICTED'));
    assert.deepEqual(open({ virustotal: { api_key: 'k', rate_limits: [] } }).sources[0]?.settings?.rateLimits, []);
  });

  it('take keys from a map of their own, which comes first', () => {
    const { warnings } = open({ virustotal: {}, shodan: { api_key: 'k' } }, '{"virustotal":"from-variable","otx":"x"}');
    assert.deepEqual(warnings, ['enrichment.adapter_keys.otx has no effect: enrichment.adapters.otx is not set']);
  });

  it('are refused in a sentence that names the place', () => {
    const refusals: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [
        { virustotle: {} },
        /^enrichment\.adapters\.virustotle\.adapter: "virustotle" is not an adapter\. Allowed: virustotal, /,
      ],
      [{ misp: { api_key: 'k' } }, /^enrichment\.adapters\.misp\.url: is required: MISP has no address of its own\.$/],
      [{ facts: { adapter: 'dns' } }, /^enrichment\.adapters\.facts: "facts" cannot be the name of a source\. /],
      [{ 'a,b': { adapter: 'dns' } }, /^enrichment\.adapters\.a,b: "a,b" cannot be the name/],
      [
        { crtsh: { classification: 'SECRET' } },
        /^enrichment\.adapters\.crtsh\.classification: SECRET is not a classification/,
      ],
      [{ crtsh: { rate_limits: 'often' } }, /rate_limits/],
      [{ crtsh: { api_key: 'a\nb' } }, /api_key/],
    ];
    for (const [adapters, message] of refusals)
      assert.throws(() => open(adapters), { code: 'invalid_setting', message });
  });
});

describe('adapters in the enrichment service', () => {
  it('are sources whose names are taken, asked when they are named', async (context) => {
    await using vendor = await startScriptedServer(() => ({
      status: 404,
      body: { detail: 'No information available' },
    }));
    const { app, settings } = await openEnrichment(context, {
      'enrichment.adapters': { internetdb: { url: vendor.url } },
      'enrichment.external_sources': [{ name: 'virustotal', url: vendor.url }],
    });
    assert.equal(settings.enrichment.adapters.internetdb?.enabled, true);
    const headers = callerHeaders('goose');
    const listed = await app.inject({ url: '/api/v1/sources', headers });
    const sources: readonly { readonly name: string; readonly reach: string }[] = listed.json().api_response;
    assert.deepEqual(sources.map(({ name, reach }) => `${name} ${reach}`).toSorted(), [
      'internetdb passive',
      'virustotal passive',
    ]);
    const ask = (query: string) => app.inject({ url: `/api/v1/lookup/enrich/ipv4/192.0.2.1/${query}`, headers });
    assert.equal('internetdb' in (await ask('')).json().api_response, false);
    const named = (await ask('?sources=internetdb')).json().api_response;
    assert.deepEqual(named.internetdb.items, []);
    assert.deepEqual(vendor.requests.filter(({ url }) => url === '/192.0.2.1').length, 1);
    for (const name of ['internetdb', 'shodan']) {
      const body = {
        name,
        url: 'http://192.0.2.1',
        classification: 'UNRESTRICTED',
        max_classification: 'UNRESTRICTED',
      };
      const registered = await app.inject({
        method: 'POST',
        url: '/api/v1/registration/register/',
        headers,
        payload: body,
      });
      assert.equal(registered.statusCode, 409, registered.body);
    }
  });

  it('make no more requests than their limits allow, and share answers between callers', async (context) => {
    await using vendor = await startScriptedServer(() => ({ status: 404 }));
    const { app } = await openEnrichment(context, {
      'enrichment.adapters': { internetdb: { url: vendor.url, rate_limits: '3/hour' } },
    });
    const ask = async (user: string, count: number): Promise<readonly ({ readonly error?: string } | undefined)[]> => {
      const payload = Array.from({ length: count }, (_, number) => ({ type: 'ipv4', value: `192.0.2.${number}` }));
      const url = '/enrich/?sources=internetdb';
      const answer = await app.inject({ method: 'POST', url, headers: callerHeaders(user), payload });
      const values = answer.json().api_response.ipv4;
      return payload.map(({ value }) => values[value].internetdb);
    };
    const errors = (await ask('goose', 10)).flatMap((result) => result?.error ?? []);
    assert.equal(vendor.requests.length, 3);
    assert.equal(errors.length, 7);
    assert.match(
      errors[0] ?? '',
      /^The rate limit of internetdb \(3\/hour\) is exhausted\. The next call is possible at /,
    );
    const shared = (await ask('gander', 10)).filter((result) => result?.error === undefined);
    assert.deepEqual([shared.length, vendor.requests.length], [3, 3]);
  });

  it('are left alone for a while when ten requests in a row could not connect', async (context) => {
    const { app } = await openEnrichment(context, {
      'enrichment.adapters': { crtsh: { url: 'http://127.0.0.1:1', rate_limits: [] } },
    });
    const url = '/api/v1/lookup/enrich/domain/example.org/?sources=crtsh';
    const errors: string[] = [];
    for (let call = 0; call < 11; call += 1) {
      errors.push((await app.inject({ url, headers: callerHeaders('goose') })).json().api_response.crtsh.error);
    }
    assert.match(errors[0] ?? '', /^Could not connect to crtsh\. Error ID: /);
    assert.match(errors[10] ?? '', /^crtsh is not asked at the moment: 10 calls in a row had no answer/);
  });

  it('refuse a source of the settings with the name of an adapter in use', async (context) => {
    const flags = {
      'enrichment.adapters': { crtsh: {} },
      'enrichment.external_sources': [{ name: 'crtsh', url: 'http://192.0.2.1' }],
    };
    await assert.rejects(openEnrichment(context, flags), {
      message: 'enrichment.external_sources[0].name: crtsh is a source of the program. Choose another name.',
    });
  });
});

function callerHeaders(user: string): Record<string, string> {
  const authorization = `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`;
  return { authorization, 'x-userid': user, 'x-classification': 'UNRESTRICTED' };
}

function open(adapters: Readonly<Record<string, unknown>>, keys: unknown = {}) {
  const warnings: string[] = [];
  const { enrichment } = loadConfig({
    environment: { SVC_CONF_FOLDER: import.meta.dirname },
    flags: { 'enrichment.adapters': adapters, 'enrichment.adapter_keys': keys },
  });
  const log = { warn: (_entry: object, message: string) => void warnings.push(message) };
  const sources = openAdapters({ adapters: enrichment.adapters, keys: enrichment.adapter_keys, engine, log });
  return { sources, warnings };
}
