import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { loadClassification } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { openScriptedSources } from '../../testing/enrichment/scripted-sources.ts';
import { CachedLookup } from '../limits/cached-lookup.ts';
import { LookupCache } from '../limits/lookup-cache.ts';
import type { QueryResult } from '../models/query-result.ts';
import type { CallContext } from '../sources/call-context.ts';
import type { SourceSelector } from '../sources/source-client.ts';
import { LookupService } from './lookup-service.ts';
import { resultLines } from './result-lines.ts';

const engine = loadClassification(BRANCHES);
const FLAGS = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: true, noCache: false };

const classification = fastCheck
  .record({
    level: fastCheck.constantFrom('L0', 'L1', 'L2'),
    required: fastCheck.subarray(['LE', 'AC']),
    groups: fastCheck.subarray(['A', 'B']),
  })
  .map(({ level, required, groups }) =>
    [level, required.join('/'), groups.length > 0 ? `REL TO ${groups.join(', ')}` : ''].filter(Boolean).join('//'),
  );

const source = fastCheck.record({
  classification,
  maxClassification: classification,
  typeClassification: classification,
  production: fastCheck.boolean(),
  includeDefault: fastCheck.boolean(),
  /** Items of every value, one with a classification of no definition among them. */
  items: fastCheck.array(fastCheck.oneof(classification, fastCheck.constant('NONSENSE')), { maxLength: 4 }),
  fails: fastCheck.boolean(),
  cache: fastCheck.constantFrom({ ttl: 0, shared: false }, { ttl: 60, shared: false }, { ttl: 60, shared: true }),
});

const lookup = fastCheck.record({
  sources: fastCheck.array(source, { minLength: 1, maxLength: 4 }),
  selectors: fastCheck.array(classification, { minLength: 1, maxLength: 3 }),
  named: fastCheck.boolean(),
  named_by_selector: fastCheck.boolean(),
  path: fastCheck.constantFrom('bulk', 'single', 'lines'),
  /** Clearances of those who ask one after the other: the first fill the cache for the next. */
  callers: fastCheck.array(classification, { minLength: 1, maxLength: 3 }),
});

describe('a lookup, for any callers, sources, items, path and cache', () => {
  it('tells nothing above the caller, and sends no source anything above its own limit', async () => {
    await fastCheck.assert(
      fastCheck.asyncProperty(lookup, async (given) => {
        const cache = new LookupCache();
        const sent: { readonly source: string; readonly classification: string }[] = [];
        const directory = openScriptedSources(
          engine,
          given.sources.map((one, index) => {
            const name = `s${index}`;
            const items = one.items.map((text) => ({ classification: text, raw_data: { secret: marked(name, text) } }));
            const note = (selectors: readonly SourceSelector[]) =>
              sent.push(...selectors.map((selector) => ({ source: name, classification: selector.classification })));
            return {
              name,
              settings: {
                classification: engine.normalise(one.classification),
                maxClassification: engine.normalise(one.maxClassification),
                production: one.production,
                includeDefault: one.includeDefault,
                cache: one.cache,
              },
              types: async () => ({ domain: one.typeClassification }),
              lookup: async (selectors) => {
                note(selectors);
                if (one.fails) throw new Error(`failed with ${marked(name, one.classification)}`);
                return { domain: Object.fromEntries(selectors.map(({ value }) => [value, { items }])) };
              },
              lookupOne: async () => {
                if (one.fails) throw new Error(`failed with ${marked(name, one.classification)}`);
                return items;
              },
            };
          }),
          { limitsOf: ({ cache: settings }) => ({ cache: new CachedLookup(cache, settings) }) },
        );
        const names = given.named ? given.sources.map((_source, index) => `s${index}`) : null;
        const selectors = given.selectors.map((text, index) => ({
          type: 'domain',
          value: `v${index}`,
          classification: text,
          sources: given.named_by_selector ? given.sources.map((_source, index) => `s${index}`) : names,
        }));
        const lookups = new LookupService({ directory });
        for (const caller of given.callers) {
          const results = await resultsOf({ caller, path: given.path }, lookups, { selectors, sources: names });
          for (const result of results) {
            const { classification: needed } = given.sources[Number(result.source.slice(1))] ?? {};
            assert.ok(engine.isAccessible(caller, needed), `${result.source} is above the caller`);
            for (const item of result.items) {
              assert.ok(engine.isAccessible(caller, String(item.classification)), 'an item is above the caller');
            }
          }
          // The secrets of what was left out are nowhere: not in errors, counts or names.
          const secrets = JSON.stringify(results).match(/secret of \S+ at [^"]*/g) ?? [];
          for (const secret of secrets) {
            assert.ok(engine.isAccessible(caller, / at (.*)$/.exec(secret)?.[1]), `${secret} left`);
          }
        }
        for (const { source: name, classification: text } of sent) {
          const { maxClassification = '' } = given.sources[Number(name.slice(1))] ?? {};
          assert.ok(engine.isAccessible(maxClassification, text), `${name} learned a value above its limit`);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function marked(name: string, text: string): string {
  return `secret of ${name} at ${text}`;
}

async function resultsOf(
  { caller, path }: { readonly caller: string; readonly path: string },
  lookups: LookupService,
  asked: Pick<Parameters<LookupService['lookup']>[0], 'selectors' | 'sources'>,
): Promise<readonly QueryResult[]> {
  const actor = { username: 'ann', classification: caller } as Actor;
  const signal = new AbortController().signal;
  const context: CallContext = { actor, credential: { kind: 'local' }, deadline: Date.now() + 5_000, signal };
  const question = { ...asked, flags: FLAGS };
  if (path === 'single') {
    const [selector] = asked.selectors;
    assert.ok(selector);
    return Object.values(await lookups.lookupOne({ ...question, selectors: [selector] }, context));
  }
  if (path === 'bulk') {
    const merged = await lookups.lookup(question, context);
    return Object.values(merged).flatMap((values) => Object.values(values).flatMap((one) => Object.values(one)));
  }
  const lines: { readonly result?: QueryResult; readonly sources?: Readonly<Record<string, object>> }[] = [];
  for await (const text of resultLines(lookups.ask(question, context))) {
    lines.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }
  const results = lines.flatMap(({ result }) => result ?? []);
  for (const name of Object.keys(lines.at(-1)?.sources ?? {})) {
    results.push({ type: '', value: '', source: name, items: [], latency: 0 });
  }
  return results;
}
