import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import { openScriptedSources, type ScriptedSource } from '../../testing/enrichment/scripted-sources.ts';
import type { Selector } from '../models/selector.ts';
import type { CallContext } from '../sources/call-context.ts';
import type { SourceSelector } from '../sources/source-client.ts';
import { type Lookup, LookupService } from './lookup-service.ts';

const engine = loadClassification(DEMO_CLASSIFICATION);
const FLAGS = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

describe('LookupService', () => {
  it('asks every default source once for all values and merges by type, value and source', async () => {
    const calls: unknown[] = [];
    const source = (name: string): ScriptedSource => ({
      name,
      lookup: async (selectors) => {
        calls.push([name, selectors.map(({ value }) => value)]);
        return entriesOf(selectors);
      },
    });
    const lookups = serviceOf([source('a'), source('b'), { name: 'c', settings: { includeDefault: false } }]);
    const merged = await lookups.lookup(about(domain('x.y'), domain('constructor'), domain('__proto__')), context());
    assert.deepEqual(calls, [
      ['a', ['x.y', 'constructor', '__proto__']],
      ['b', ['x.y', 'constructor', '__proto__']],
    ]);
    assert.deepEqual(Object.keys(merged), ['domain']);
    assert.deepEqual(Object.keys(merged.domain ?? {}), ['x.y', 'constructor', '__proto__']);
    const proto = Object.entries(merged.domain ?? {}).find(([value]) => value === '__proto__');
    assert.deepEqual(Object.keys(proto?.[1] ?? {}), ['a', 'b']);
  });

  it('asks the sources that query and selector both name, whether or not they are default ones', async () => {
    const source = (name: string, includeDefault: boolean): ScriptedSource => ({
      name,
      settings: { includeDefault },
      lookup: async (selectors) => entriesOf(selectors),
    });
    const lookups = serviceOf([source('a', true), source('b', true), source('c', false)]);
    const asked = async (query: readonly string[] | null, selector: readonly string[] | null) => {
      const question = { ...about({ ...domain('x'), sources: selector }), sources: query };
      const merged = await lookups.lookup(question, context());
      return Object.keys(merged.domain?.x ?? {});
    };
    assert.deepEqual(await asked(null, null), ['a', 'b']);
    assert.deepEqual(await asked(['c', 'nothing'], null), ['c']);
    assert.deepEqual(await asked(null, ['a', 'c']), ['a']);
    assert.deepEqual(await asked(['a', 'c'], ['c']), ['c']);
    assert.deepEqual(await asked(['a'], ['b']), []);
    assert.deepEqual(await asked(null, []), []);
  });

  it('leaves out types that a source does not offer, and sources that do not say what they offer', async () => {
    const lookup = async (selectors: readonly SourceSelector[]) => entriesOf(selectors);
    const lookups = serviceOf([
      { name: 'a', types: async () => ({ ipv4: 'RESTRICTED' }), lookup },
      { name: 'down', types: () => Promise.reject(new Error('down')), lookup },
      { name: 'slow', types: () => new Promise(() => {}), lookup },
    ]);
    const question = about(domain('x'), { ...domain('192.0.2.7'), type: 'ipv4' });
    const merged = await lookups.lookup(question, context({ deadline: Date.now() + 50 }));
    assert.deepEqual(shapeOf(merged), { domain: { x: [] }, ipv4: { '192.0.2.7': ['a'] } });
    const single = await lookups.lookupOne({ ...question, selectors: [domain('x')] }, context());
    assert.deepEqual(single, {});
  });

  it('never sends a value above the highest classification of a source', async () => {
    const source: ScriptedSource = { name: 'a', settings: { declaredMaxClassification: 'U' } };
    const lookups = serviceOf([source]);
    const secret = { ...domain('x'), classification: 'RESTRICTED' };
    assert.deepEqual(shapeOf(await lookups.lookup(about(secret), context())), { domain: { x: [] } });
    const named = await lookups.lookup(about({ ...secret, sources: ['a'] }), context());
    assert.equal(
      named.domain?.x?.a?.error,
      'Selector classification (RESTRICTED) exceeds max classification of source: a (U).',
    );
    const single = await lookups.lookupOne({ ...about(secret), selectors: [secret] }, context());
    assert.equal(single.a?.error, 'Type classification exceeds max classification of source: a.');
  });

  it('answers with the others when a source fails', async () => {
    const lookups = serviceOf([
      { name: 'a', lookup: async () => Promise.reject(new Error('broken')) },
      { name: 'b', lookup: async (selectors) => entriesOf(selectors) },
    ]);
    const { a, b } = (await lookups.lookup(about(domain('x')), context())).domain?.x ?? {};
    assert.ok(a?.error);
    assert.deepEqual([b?.error, b?.items.length], [undefined, 1]);
  });
});

function serviceOf(sources: readonly ScriptedSource[]): LookupService {
  return new LookupService({ directory: openScriptedSources(engine, sources) });
}

function domain(value: string): Selector {
  return { type: 'domain', value, classification: engine.unrestricted, sources: null };
}

function about(...selectors: readonly Selector[]): Lookup {
  return { selectors, sources: null, flags: FLAGS };
}

function context(changes: Partial<CallContext> = {}): CallContext {
  const actor = { username: 'ann', classification: 'UNRESTRICTED' } as Actor;
  const signal = new AbortController().signal;
  return { actor, credential: { kind: 'local' }, deadline: Date.now() + 5_000, signal, ...changes };
}

function entriesOf(selectors: readonly SourceSelector[]): unknown {
  const byType = Object.groupBy(selectors, ({ type }) => type);
  return Object.fromEntries(
    Object.entries(byType).map(([type, some = []]) => [
      type,
      Object.fromEntries(some.map(({ value }) => [value, { items: [{}] }])),
    ]),
  );
}

function shapeOf(merged: object): unknown {
  return Object.fromEntries(
    Object.entries(merged).map(([type, values]) => [
      type,
      Object.fromEntries(Object.entries(values as object).map(([value, results]) => [value, Object.keys(results)])),
    ]),
  );
}
