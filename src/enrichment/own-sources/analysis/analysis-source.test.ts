import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { badlistDocument } from '../../../documents/kinds/analysis/badlist.ts';
import { fileDocument } from '../../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../../documents/kinds/analysis/result.ts';
import { safelistDocument } from '../../../documents/kinds/analysis/safelist.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../../testing/analysis/analysis-program.ts';
import { aHeuristic, aResult, aSection, aSha256, resultKey } from '../../../testing/analysis/result-builders.ts';
import { seedFile } from '../../../testing/analysis/seeded-submission.ts';
import type { TestRequest } from '../../../testing/start-test-program.ts';

const URL_VALUE = 'https://evil.example/a?b="c"&d=*\\';
const [KNOWN, OTHER, HIDDEN, UNKNOWN] = [aSha256(1), aSha256(2), aSha256(3), aSha256(4)] as const;
/** Results of other files that tag a value, more than a page of a search. */
const MANY = 1_050;

describe('the source of analyses', () => {
  let program: AnalysisTestProgram;

  before(async () => {
    program = await startAnalysisTestProgram({
      settings: { 'enrichment.own_sources': 'analysis', components: ['http'] },
    });
    await program.saveUser('low', { classification: 'TLP:CLEAR' });
    await program.saveUser('high', { classification: 'TLP:AMBER' });
    const { store } = program;
    for (const sha256 of [KNOWN, OTHER]) await seedFile(store, { sha256 });
    await seedFile(store, { sha256: HIDDEN, classification: 'TLP:AMBER' });
    const uri = { uri: URL_VALUE, scheme: 'https', netloc: 'evil.example', hostname: 'evil.example' };
    await store(fileDocument, aSha256(5), {
      ...{ sha256: aSha256(5), md5: 'a'.repeat(32), sha1: 'a'.repeat(40), ssdeep: '3:abc:def', type: 'uri/https' },
      ...{ ascii: 'text', hex: '74657874', magic: 'ASCII text', mime: 'text/plain', entropy: 1.5, size: 10 },
      ...{ seen: { count: 1 }, classification: 'TLP:CLEAR', expiry_ts: '2999-01-02T03:04:05.000000Z', uri_info: uri },
    });
    const tags = (network: object) => ({ network }) as never;
    const results = [
      aResult({
        sha256: KNOWN,
        service: 'Mini',
        sections: [
          aSection({ heuristic: aHeuristic('MINI.1', 700), tags: tags({ static: { domain: ['evil.example'] } }) }),
          aSection({ tags: tags({ dynamic: { ip: ['2001:db8::1', '198.51.100.7'] } }) }),
        ],
      }),
      aResult({ sha256: KNOWN, service: 'Other', score: 400 }),
      aResult({
        sha256: KNOWN,
        service: 'Mixed',
        sections: [
          aSection({ heuristic: aHeuristic('MIXED.1', 60) }),
          aSection({
            classification: 'TLP:AMBER',
            heuristic: aHeuristic('MINI.2', 7),
            tags: tags({ static: { domain: ['hidden.example'], uri: [URL_VALUE] } }),
          }),
        ],
      }),
      aResult({ sha256: KNOWN, service: 'Hidden', score: 5_000, classification: 'TLP:AMBER' }),
      aResult({
        sha256: OTHER,
        service: 'Mini',
        score: -1_000,
        sections: [aSection({ tags: tags({ email: { address: ['ann@evil.example'] } }) })],
      }),
      aResult({ sha256: HIDDEN, service: 'Mini', score: 2_000, classification: 'TLP:AMBER' }),
    ];
    for (const result of results) await store(resultDocument, resultKey(result), result);
    for (let number = 0; number < MANY; number += 1) {
      const section = aSection({ tags: tags({ static: { ip: ['203.0.113.9'] } }) });
      const result = aResult({ sha256: aSha256(100 + number), score: number, sections: [section] });
      await store(resultDocument, resultKey(result), result);
    }
    const source = { name: 'admin', type: 'user', classification: 'TLP:CLEAR', reason: ['a reason | with *marks*'] };
    const listed = { classification: 'TLP:CLEAR', enabled: true, sources: [source] };
    const tag = (value: string) => ({ ...listed, type: 'tag', tag: { type: 'network.static.domain', value } });
    await store(badlistDocument, 'b1', { ...tag('evil.example'), attribution: { family: ['SNAIL'] } });
    await store(badlistDocument, 'b2', { ...tag('hidden.example'), classification: 'TLP:AMBER' });
    await store(badlistDocument, 'b3', { ...tag('off.example'), enabled: false });
    await store(safelistDocument, OTHER, {
      ...listed,
      type: 'file',
      hashes: { sha256: OTHER, md5: OTHER.slice(0, 32) },
    });
  });
  after(() => program?.close());

  const ask = (uname: string, path: string, request: TestRequest = {}) =>
    program.request(path, {
      ...request,
      service: 'enrichment',
      headers: { 'x-user': uname, 'x-apikey': 'key:secret' },
    });

  async function itemsOf(uname: string, type: string, value: string) {
    const answer = await ask(uname, '/enrich/?include_raw=true&max_timeout=60', {
      method: 'POST',
      json: [{ type, value }],
    });
    assert.equal(answer.status, 200, answer.text);
    const result = answer.json.api_response[type][value].analysis;
    assert.equal(result?.error, undefined, result?.error);
    return result?.items ?? [];
  }
  const opinionsOf = (items: readonly { annotations: readonly { type: string; value: string }[] }[]) =>
    items.flatMap(({ annotations }) => annotations.filter(({ type }) => type === 'opinion').map(({ value }) => value));

  it('says the verdict and the score of a file, of the results that the caller sees', async () => {
    for (const [uname, score] of [
      ['low', 1_100],
      ['high', 6_167],
    ] as const) {
      for (const [type, value] of [
        ['sha256', KNOWN],
        ['md5', KNOWN.slice(0, 32).toUpperCase()],
        ['sha1', KNOWN.slice(0, 40)],
      ] as const) {
        const items = await itemsOf(uname, type, value);
        assert.deepEqual([items.length, items[0].raw_data.score, items[0].raw_data.sha256], [1, score, KNOWN]);
        assert.deepEqual(opinionsOf(items), ['malicious']);
        assert.equal(items[0].classification, uname === 'low' ? 'TLP:CLEAR' : 'TLP:AMBER');
      }
      const { json } = await program.as(uname, `/api/v4/file/score/${KNOWN}/`);
      assert.equal(json.api_response.score, score);
    }
    assert.deepEqual(opinionsOf(await itemsOf('low', 'sha256', OTHER)), ['benign', 'benign']);
    assert.deepEqual(await itemsOf('low', 'sha256', UNKNOWN), []);
    assert.deepEqual(await itemsOf('low', 'sha256', HIDDEN), []);
    assert.equal((await itemsOf('high', 'sha256', HIDDEN)).length, 1);
  });

  it('counts the results that tag a value, without what the caller may not see', async () => {
    const cases = [
      ['low', 'domain', 'evil.example', 1],
      ['low', 'domain', 'hidden.example', 0],
      ['high', 'domain', 'hidden.example', 1],
      ['low', 'ipv6', '2001:DB8:0:0::1', 1],
      ['low', 'ipv4', '198.51.100.7', 1],
      ['high', 'url', URL_VALUE, 1],
      ['low', 'email_address', 'Ann@Evil.example', 1],
    ] as const;
    for (const [uname, type, value, count] of cases) {
      const items = await itemsOf(uname, type, value);
      const tagged = items.find(({ raw_data: raw }: { raw_data: object }) => 'results' in raw);
      assert.equal(tagged?.count ?? 0, count, `${type} ${value} as ${uname}`);
      if (tagged === undefined) continue;
      const { pathname, search } = new URL(tagged.link);
      const { json } = await program.as(uname, `${pathname}${search}`);
      assert.equal(json.api_response.total, count);
      assert.ok(!JSON.stringify(items).includes('TLP:AMBER') || uname === 'high');
    }
    const [tagged] = await itemsOf('low', 'domain', 'evil.example');
    assert.deepEqual(tagged.raw_data.heuristics, { 'Heuristic MINI.1': 1 });
  });

  it('counts what more results tag than a page has', async () => {
    const [tagged] = await itemsOf('low', 'ipv4', '203.0.113.9');
    assert.deepEqual([tagged.count, tagged.raw_data.highest_score], [MANY, MANY - 1]);
  });

  it('says what is on the bad list and the safe list', async () => {
    const bad = await itemsOf('low', 'domain', 'evil.example');
    assert.deepEqual(opinionsOf(bad), ['malicious']);
    assert.ok(JSON.stringify(bad).includes('Attributed to the family SNAIL'));
    assert.deepEqual(await itemsOf('low', 'domain', 'hidden.example'), []);
    assert.deepEqual(opinionsOf(await itemsOf('high', 'domain', 'hidden.example')), ['malicious']);
    assert.deepEqual(await itemsOf('low', 'domain', 'off.example'), []);
  });

  it('knows the file that a submitted URL became', async () => {
    const items = await itemsOf('low', 'url', URL_VALUE);
    assert.deepEqual(
      items.map(({ raw_data: raw }: { raw_data: { sha256: string } }) => raw.sha256),
      [aSha256(5)],
    );
  });

  it('reports on a file', async () => {
    const report = (uname: string, value: string) =>
      ask(uname, '/api/v1/fetchers/analysis/report', { method: 'POST', json: { type: 'sha256', value } });
    const { json, text } = await report('low', KNOWN);
    assert.equal(json.api_response.outcome, 'success', text);
    assert.match(json.api_response.data, /\*\*malicious\*\*, score 1100/);
    assert.match(json.api_response.data, /\| Mini 4\.7\.4\.25 \| 700 \|/);
    assert.doesNotMatch(json.api_response.data, /hidden\.example|MINI\.2|\b5000\b/);
    assert.match((await report('high', KNOWN)).json.api_response.data, /hidden\.example/);
    for (const value of [UNKNOWN, HIDDEN])
      assert.equal((await report('low', value)).json.api_response.outcome, 'failure');
  });

  it('submits with the rights of the caller, and only by the action', async () => {
    const submit = (uname: string, body: object) =>
      ask(uname, '/api/v1/actions/execute/analysis/submit', { method: 'POST', json: body });
    const selector = { type: 'url', value: 'https://submitted.example/', classification: 'TLP:CLEAR' };
    const { json, text } = await submit('low', {
      selector,
      selectors: [],
      context: null,
      description: 'from a lookup',
    });
    assert.equal(json.api_response.outcome, 'success', text);
    const sid = json.api_response.link.split('/').filter(Boolean).at(-1);
    const submission = (await program.as('low', `/api/v4/submission/${sid}/`)).json.api_response;
    assert.deepEqual([submission.params.submitter, submission.params.description], ['low', 'from a lookup']);
    for (const [body, problem] of [
      [{ selector: { type: 'domain', value: 'a.example' } }, /Only values of the types/],
      [{}, /nothing to submit/],
      [{ selector, selectors: [selector] }, /one value at a time/],
      [{ selector, priority: 'high' }, /priority/],
      [{ selector: { type: 'sha256', value: UNKNOWN } }, /\w/],
    ] as const) {
      const refused = (await submit('low', body)).json.api_response;
      assert.equal(refused.outcome, 'failure', JSON.stringify(body));
      assert.match(refused.summary, problem);
    }
    const readOnly = { 'x-user': 'low', 'x-apikey': 'roles:secret' };
    const request = { service: 'enrichment', method: 'POST', headers: readOnly, json: { selector } } as const;
    const denied = await program.request('/api/v1/actions/execute/analysis/submit', request);
    assert.notEqual(denied.json.api_response.outcome, 'success', denied.text);
  });
});
