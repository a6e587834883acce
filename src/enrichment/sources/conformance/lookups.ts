import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { QueryResult } from '../../models/query-result.ts';
import { callOf, entryOf, FLAGS, selectorOf } from './source-fixture.ts';
import type { PluginScript, SourceMutation, SourceSubject } from './subject.ts';
import { sourcesForArea } from './subject.ts';

const A = selectorOf('a.example');
const B = selectorOf('b.example');

export function lookupsArea(subject: SourceSubject, mutation?: SourceMutation): void {
  const open = sourcesForArea(subject, mutation);

  it('returns the entries of each value with one call', async () => {
    const { source, requests } = await open(every(({ value }) => ({ items: [entryOf(value)] })));
    const results = await source.lookup([A, B], FLAGS, callOf());
    assert.deepEqual([...results.keys()], [A, B]);
    assert.deepEqual(summaries(results.get(B)), ['b.example']);
    assert.equal(requests.length, 1);
    assert.deepEqual(summaries(await source.lookupOne(A, FLAGS, callOf())), ['a.example']);
  });

  it('leaves out entries above the caller, in both lookups, also of production sources', async () => {
    const items = [entryOf('low'), entryOf('high', 'RESTRICTED')];
    for (const production of [false, true]) {
      const { source } = await open(
        every(() => ({ items })),
        { settings: { production } },
      );
      for (const [classification, expected] of [
        ['UNRESTRICTED', ['low']],
        ['RESTRICTED', ['low', 'high']],
      ] as const) {
        const call = () => callOf({ classification });
        assert.deepEqual(summaries((await source.lookup([A], FLAGS, call())).get(A)), expected);
        assert.deepEqual(summaries(await source.lookupOne(A, FLAGS, call())), expected);
      }
    }
  });

  it('asks for each caller', async () => {
    const { source } = await open(({ token = 'none', selectors }) => ({
      content: Object.fromEntries(
        selectors.map(({ type, value }) => [type, { [value]: { items: [entryOf(token)] } }] as const),
      ),
    }));
    for (const token of ['a.b.ann', 'a.b.ben']) {
      const call = () => callOf({ token, username: token });
      assert.deepEqual(summaries((await source.lookup([A], FLAGS, call())).get(A)), [token]);
    }
  });

  it('keeps answers for their caller alone, and filters them again', async () => {
    let asked = 0;
    const script = every(() => {
      asked += 1;
      return { items: [entryOf('low'), entryOf('high', 'RESTRICTED')] };
    });
    const { source } = await open(script, { cache: { ttl: 60, shared: false } });
    const lookUp = async (username: string, classification = 'UNRESTRICTED') =>
      summaries((await source.lookup([A], FLAGS, callOf({ username, classification }))).get(A));
    assert.deepEqual(await lookUp('ann', 'RESTRICTED'), ['low', 'high']);
    assert.deepEqual(await lookUp('ann'), ['low']);
    const before = asked;
    assert.deepEqual(await lookUp('ann'), ['low']);
    assert.equal(asked, before);
    assert.deepEqual(await lookUp('ben'), ['low']);
    assert.equal(asked, before + 1);
  });

  it('ignores types and values that were not asked for, and leaves out values without an answer', async () => {
    const { source } = await open(() => ({
      content: {
        domain: { 'a.example': { items: [] }, 'other.example': { items: [entryOf('x')] } },
        ipv4: { '192.0.2.1': { items: 'broken' } },
      },
    }));
    const results = await source.lookup([A, B], FLAGS, callOf());
    assert.deepEqual([...results.keys()], [A]);
  });

  it('keeps the error of one value to that value', async () => {
    const { source } = await open(({ selectors }) => ({
      content: {
        domain: Object.fromEntries(
          selectors.map(({ value }) => [
            value,
            value === 'a.example' ? { items: [], error: 'only this one' } : { items: [entryOf('fine')] },
          ]),
        ),
      },
    }));
    const results = await source.lookup([A, B], FLAGS, callOf());
    assert.equal(results.get(A)?.error, 'only this one');
    assert.deepEqual(summaries(results.get(B)), ['fine']);
    assert.equal(results.get(B)?.error, undefined);
  });

  it('makes an invalid answer the error of every value, with the place and an error id', async () => {
    for (const [items, problem] of [
      [[{ ...entryOf('x'), count: 'many' }], /"items\.\[0\]\.count": .*Error ID: [0-9a-f]+$/],
      [Array.from({ length: 10_000 }, () => entryOf('x')), /10000 items .*Error ID: [0-9a-f]+$/],
      ['text', /"items": .*Error ID: [0-9a-f]+$/],
    ] as const) {
      const { source } = await open(every(() => ({ items })));
      for (const result of (await source.lookup([A, B], FLAGS, callOf())).values()) {
        assert.match(result.error ?? '', problem);
        assert.deepEqual(result.items, []);
      }
      assert.ok((await source.lookupOne(A, FLAGS, callOf())).error);
    }
  });

  it('takes 404 for nothing found, and passes on what the source says of other refusals', async () => {
    const missing = await open(() => ({ status: 404, message: '' }));
    assert.equal((await missing.source.lookupOne(A, FLAGS, callOf())).error, undefined);
    const refusing = await open(() => ({ status: 422, message: 'no such suffix' }));
    assert.equal((await refusing.source.lookupOne(A, FLAGS, callOf())).error, 'no such suffix');
  });

  it('names its types as far as the caller may know of them, and asks for them once', async () => {
    const { source, requests } = await open(() => ({
      content: { domain: 'U', ipv4: 'R', own_type: 'U', md5: 'WHAT', sha1: 7 },
    }));
    assert.deepEqual(Object.keys((await source.types(callOf().actor)) ?? {}), ['domain']);
    const insider = callOf({ classification: 'RESTRICTED' }).actor;
    assert.deepEqual(Object.keys((await source.types(insider)) ?? {}), ['domain', 'ipv4']);
    assert.equal((await source.offers())?.has('ipv4'), true);
    assert.equal(requests.length, 1);
  });
}

function every(answer: (selector: { readonly type: string; readonly value: string }) => unknown): PluginScript {
  return ({ selectors }) => ({
    content: {
      domain: Object.fromEntries(selectors.map((selector) => [selector.value, answer(selector)])),
    },
  });
}

function summaries(result: QueryResult | undefined): unknown[] {
  return (result?.items ?? []).map((item) => (item as ReturnType<typeof entryOf>).annotations[0]?.summary);
}
