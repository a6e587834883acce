import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  openPlayedAdapter,
  type PlayedCase,
  playOf,
  readPlayedAnswers,
  TEST_KEY,
} from '../../../testing/enrichment/played-adapter.ts';
import type { ScriptedAnswer, ScriptedRequest } from '../../../testing/servers/scripted-server.ts';
import type { QueryEntry, QueryResult } from '../../models/query-result.ts';
import { ADAPTERS } from './adapter-list.ts';

const REQUIRED_CASES = ['bad', 'clean', 'unknown'];
/** Headers that a vendor may see, with that of its key. */
const HEADERS = ['host', 'connection', 'accept', 'accept-encoding', 'user-agent', 'content-type', 'content-length'];
const FORMAT_ERROR = /^\S+ did not return a response in the expected format\. Error ID: [0-9a-f]{16}$/;

for (const adapter of ADAPTERS) {
  describe(`adapter ${adapter.name}`, () => {
    if (adapter.url === 'dns:') {
      it('has a test of its own, because it does not speak HTTP', () => {
        assert.ok(existsSync(join(import.meta.dirname, adapter.name, `${adapter.name}.test.ts`)));
      });
      return;
    }
    const answers = readPlayedAnswers(adapter.name);
    const cases = Object.entries(answers.cases).filter(
      (entry): entry is [string, PlayedCase] => typeof entry[1] === 'object',
    );
    const [, sample] = cases[0] as [string, PlayedCase];
    const { open, allAnswer } = sampleOf(adapter.name, sample);

    it('has answers of each kind, or says why not, and a page of the vendor', () => {
      for (const name of REQUIRED_CASES) assert.ok(answers.cases[name] !== undefined, `${name} is missing`);
      assert.ok(cases.some(([name]) => name === 'bad' || name === 'found'));
      assert.ok(URL.canParse(answers.page) && URL.canParse(adapter.documentation));
    });

    for (const [name, played] of cases) {
      it(`reads the answer "${name}", and sends the value and the key alone`, async (context) => {
        const { lookup, server, differences } = await playing(context, adapter.name, played.exchanges);
        const result = await lookup(played.type, played.value);
        assert.equal(result.error, undefined);
        assert.deepEqual(differences, []);
        assert.equal(server.requests.length, played.exchanges.length);
        assertSentLittle(server.requests, adapter.key);
        if (played.expect === undefined) return;
        const items = entriesOf(result);
        const { opinion, link, about = [] } = played.expect;
        assert.equal(firstOpinion(result), opinion ?? undefined);
        assert.equal(items[0]?.link, link?.replace('{server}', `${server.url}/base`) ?? undefined);
        const subjects = items.flatMap(({ annotations }) => annotations.map(({ analytic = '' }) => analytic));
        for (const subject of about)
          assert.ok(subjects.includes(`${adapter.title} - ${subject}`), `${subject}: ${subjects}`);
        const bare = entriesOf(await lookup(played.type, played.value, { noAnnotation: true, includeRaw: true }));
        assert.equal(bare.length, items.length);
        assert.ok(bare.every(({ annotations }) => annotations.length === 0));
        assert.ok(bare.length === 0 || bare[0]?.raw_data !== undefined);
        assert.ok(items.every((item) => item.raw_data === undefined));
      });
    }

    const { many, wrong_key: wrongKey, quota } = answers;
    if (many !== undefined) {
      it('asks for many values with one call', async (context) => {
        const { lookupMany, differences } = await playing(context, adapter.name, many.exchanges);
        const results = await lookupMany(many.selectors);
        assert.deepEqual(differences, []);
        assert.deepEqual(
          results.map((result) => result?.error ?? (result && firstOpinion(result)) ?? null),
          many.opinions,
        );
      });
    }

    if (typeof wrongKey === 'object') {
      it('says in a sentence that the key is wrong', async (context) => {
        const { error } = await allAnswer(context, wrongKey);
        assert.equal(
          error,
          `${adapter.title} did not accept the API key of ${adapter.name}. An administrator checks enrichment.adapter_keys.${adapter.name}.`,
        );
      });
    }

    if (adapter.key !== undefined && !adapter.key.isOptional) {
      it('asks nothing without a key, and says so at the start and in each answer', async (context) => {
        const { lookup, server, warnings } = await open(context, () => ({ body: {} }), { api_key: null });
        const sentence = `${adapter.name} has no API key. An administrator sets it as enrichment.adapter_keys.${adapter.name}.`;
        assert.equal(warnings.length, 1);
        assert.ok(warnings[0]?.startsWith(sentence));
        assert.equal((await lookup(sample.type, sample.value)).error, sentence);
        assert.equal(server.requests.length, 0);
      });
    }

    it('obeys the quota of the vendor', async (context) => {
      const { lookup, server } = await open(context, () => quota);
      const { error = '' } = await lookup(sample.type, sample.value);
      assert.match(error, /^.+ accepts no calls at the moment\.( The next call is possible at \S+Z\.)?$/);
      if (!error.includes('possible')) return;
      assert.equal(server.requests.length, 1);
      assert.equal((await lookup(sample.type, sample.value)).error, error);
      assert.equal(server.requests.length, 1);
    });

    it('repeats a call after an error of the vendor, and gives up', async (context) => {
      const { lookup, server } = await open(context, () => ({ status: 500, body: { error: TEST_KEY } }));
      assert.match((await lookup(sample.type, sample.value)).error ?? '', FORMAT_ERROR);
      assert.equal(server.requests.length, 3);
    });

    it('ends at the deadline', async (context) => {
      const { lookup } = await open(context, () => 'hang');
      assert.equal((await lookup(sample.type, sample.value, {}, 300)).error, 'Request Timed Out');
    });

    it('refuses redirects, HTML, and more than 10 MB, also after unpacking', async (context) => {
      const large = Buffer.alloc(20_000_000, 0x20);
      const unusable: readonly ScriptedAnswer[] = [
        { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
        { headers: { 'content-type': 'text/html' }, body: `<html><body>${TEST_KEY}</body></html>` },
        { body: large },
        { headers: { 'content-encoding': 'gzip' }, body: gzipSync(large) },
        { status: 418, body: '{}' },
        { body: '' },
      ];
      for (const answer of unusable) assert.match((await allAnswer(context, answer)).error ?? '', FORMAT_ERROR);
    });
  });
}

async function playing(context: TestContext, name: string, exchanges: PlayedCase['exchanges']) {
  const differences: string[] = [];
  let url = '';
  const below = exchanges.map((one) => ({ ...one, request: { ...one.request, path: `/base${one.request.path}` } }));
  const opened = await openPlayedAdapter(
    context,
    name,
    playOf(below, differences, () => `${url}/base`),
  );
  ({ url } = opened.server);
  return { ...opened, differences };
}

function sampleOf(name: string, { type, value }: PlayedCase) {
  const open = (
    context: TestContext,
    ...rest: Parameters<typeof openPlayedAdapter> extends [unknown, string, ...infer R] ? R : never
  ) => openPlayedAdapter(context, name, ...rest);
  const allAnswer = async (context: TestContext, answer: ScriptedAnswer): Promise<QueryResult> =>
    (await open(context, () => answer)).lookup(type, value);
  return { open, allAnswer };
}

function assertSentLittle(requests: readonly ScriptedRequest[], key: { readonly name: string } | undefined): void {
  for (const { headers, url, body } of requests) {
    const others = Object.keys(headers).filter((name) => !HEADERS.includes(name) && name !== key?.name);
    assert.deepEqual(others, []);
    assert.equal(headers['user-agent'], 'triad');
    assert.doesNotMatch(JSON.stringify([headers, url, body]), /token\.of\.caller|goose/);
    if (key === undefined) assert.doesNotMatch(JSON.stringify([headers, url, body]), new RegExp(TEST_KEY));
  }
}

function entriesOf({ items }: QueryResult): readonly QueryEntry[] {
  return items.filter((item): item is QueryEntry => 'annotations' in item);
}

function firstOpinion(result: QueryResult): string | number | undefined {
  return entriesOf(result)
    .flatMap(({ annotations }) => annotations)
    .find(({ type }) => type === 'opinion')?.value;
}
