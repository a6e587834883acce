import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { enforcedClassification } from '../../../testing/analysis/enforced-classification.ts';
import { aSourceCall, askOwnSource } from '../../../testing/enrichment/ask-own-source.ts';
import { basic } from '../../../testing/identity/open-test-identity.ts';
import { openEnrichment } from '../../../testing/open-enrichment.ts';
import type { LookupFlags } from '../../sources/source-client.ts';
import { openFactsSource } from './facts-source.ts';

const engine = enforcedClassification;
const facts = openFactsSource(engine);
const { source } = facts;
const TYPES = Object.keys(source.types());
const FLAGS: LookupFlags = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

function lookup(selectors: readonly (readonly [type: string, value: string])[], changes: Partial<LookupFlags> = {}) {
  const asked = selectors.map(([type, value]) => ({ type, value, classification: engine.unrestricted }));
  return source.lookup(asked, { ...FLAGS, ...changes }, aSourceCall()) as Promise<
    Record<string, Record<string, unknown>>
  >;
}

describe('the source facts', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ maxLength: 4_096, size: 'max' }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.domain(),
    fc.ipV6(),
    fc.emailAddress(),
    fc.constantFrom(
      '__proto__',
      'constructor',
      '\ud800',
      'http://\udc00\ud800/',
      'a\u0000b.com',
      'http://a\u0000/',
      'xn--',
      'xn--a.xn--',
      `xn--${'9'.repeat(59)}.com`,
      'fe80::1%',
      'fe80::1%25eth0',
      'http://[fe80::1%25eth0]/',
      'http://[::1',
      'http://%/',
      'https://%ff%fe@a.com/%ff?%ff=%ff',
      '@@@@',
      'a@b@c.com',
      `http://a.com/?${'a=http://b.com&'.repeat(1_000)}`,
      'a.'.repeat(2_000),
      '\u202egnp.exe',
    ),
  );

  it('answers every value as the protocol wants, without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TYPES), hostile, async (type, value) => {
        for (const { annotations } of await askOwnSource(facts, { type, value }, { includeRaw: true })) {
          assert.ok(annotations.length > 0 && annotations.length <= 30);
          for (const { value: said, summary } of annotations) {
            assert.ok(
              String(said).length <= 1_001 && String(summary).length <= 2_000 && String(summary).isWellFormed(),
            );
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves out what it knows nothing of, and keeps values apart that objects have', async () => {
    const answer = await lookup([
      ['ipv4', '8.8.8.8'],
      ['user_agent', '__proto__'],
      ['domain', 'google.com'],
      ['url', '__proto__'],
    ]);
    assert.deepEqual(Object.keys(answer), ['domain', 'url']);
    assert.deepEqual(Object.keys(answer.url ?? {}), ['__proto__']);
  });

  it('obeys no_annotation and a limit of 0', async () => {
    const bare = await lookup([['ipv4', '10.0.0.1']], { noAnnotation: true });
    const item = { classification: engine.unrestricted, count: 1, annotations: [] };
    assert.deepEqual({ ...bare.ipv4 }, { '10.0.0.1': { items: [item] } });
    assert.deepEqual(Object.keys(await lookup([['ipv4', '10.0.0.1']], { limit: 0 })), []);
  });

  it('yields to the event loop during many values, and ends with its call', async () => {
    const ending = new AbortController();
    const asked = Array.from({ length: 5_000 }, (_, index) => ({
      type: 'url',
      value: `https://a${index}.com/?${'a=1&'.repeat(500)}`,
      classification: '',
    }));
    const caller = { username: 'ana', classification: engine.unrestricted };
    const call = { signal: ending.signal, deadline: Date.now() + 60_000, caller };
    const answer = source.lookup(asked, FLAGS, call);
    setImmediate(() => ending.abort());
    await assert.rejects(answer, { name: 'AbortError' });
  });

  it('answers lookups over HTTP by default', async (context) => {
    const { app } = await openEnrichment(context, { 'enrichment.own_sources': 'facts' });
    const headers = {
      authorization: basic('robot:robot-secret'),
      'x-userid': 'grace',
      'x-classification': 'UNRESTRICTED',
    };
    const payload = [
      { type: 'ip', value: '10.0.0.1' },
      { type: 'email_address', value: 'Ann@Gmail.com' },
      { type: 'ipv4', value: '8.8.8.8' },
    ];
    const bulk = await app.inject({ method: 'POST', url: '/enrich/', headers, payload });
    const results = bulk.json().api_response;
    assert.equal(results.ipv4['10.0.0.1'].facts.items[0].annotations[0].value, 'private');
    assert.equal(results.email_address['Ann@Gmail.com'].facts.items[0].annotations[0].value, 'free-mail');
    assert.deepEqual(results.ipv4['8.8.8.8'], {});
    const single = await app.inject({ url: '/api/v1/lookup/enrich/port/443/', headers });
    assert.equal(single.json().api_response.facts.items[0].annotations[0].value, 'https');
  });
});
