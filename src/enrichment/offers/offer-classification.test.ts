import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { loadClassification } from '../../classification/classification.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { NEVER_ABORTED } from '../../testing/enrichment/never-aborted.ts';
import { aFetcher, anAction } from '../../testing/enrichment/offering-sources.ts';
import { openScriptedSources } from '../../testing/enrichment/scripted-sources.ts';
import { ActionService } from './actions/action-service.ts';
import { FetcherService } from './fetchers/fetcher-service.ts';

const engine = loadClassification(BRANCHES);
const LOG = { info() {}, warn() {}, error() {} };

const classification = fastCheck
  .record({ level: fastCheck.constantFrom('L0', 'L1', 'L2'), required: fastCheck.subarray(['LE', 'AC']) })
  .map(({ level, required }) => [level, required.join('/')].filter(Boolean).join('//'));

const listings = fastCheck.record({
  /** One after the other, so that lists which are kept for one are there for the next. */
  callers: fastCheck.array(classification, { minLength: 1, maxLength: 4 }),
  sources: fastCheck.array(fastCheck.record({ source: classification, offer: classification, type: classification }), {
    minLength: 1,
    maxLength: 4,
  }),
});

describe('listings, for any callers and sources', () => {
  it('name every action, fetcher and type that the caller may know of, and no other', async () => {
    await fastCheck.assert(
      fastCheck.asyncProperty(listings, async ({ callers, sources: given }) => {
        const sources = openScriptedSources(
          engine,
          given.map((one, index) => ({
            name: `s${index}`,
            settings: { classification: engine.normalise(one.source) },
            types: async () => ({ domain: one.type }),
            actions: async () => ({ run: anAction('run', { classification: one.offer }) }),
            fetchers: async () => ({ run: aFetcher('run', { classification: one.offer }) }),
          })),
        );
        const dependencies = { sources, engine, languages: [], log: LOG };
        const actions = new ActionService(dependencies);
        const fetchers = new FetcherService(dependencies);
        for (const [index, caller] of callers.entries()) {
          const actor = { ...anActor({ username: `user${index % 2}` }), classification: caller };
          const context = { actor, credential: { kind: 'local' }, signal: NEVER_ABORTED } as const;
          const may = (text: string) => engine.isAccessible(caller, text, true);
          const names = (allowed: (one: (typeof given)[number]) => boolean) =>
            given.flatMap((one, number) => (may(one.source) && allowed(one) ? [`s${number}`] : []));
          const offered = names(({ offer }) => may(offer)).map((name) => `${name}.run`);
          assert.deepEqual(Object.keys(await actions.list(context)), offered);
          assert.deepEqual(Object.keys(await fetchers.list(context)), offered);
          const types = await Promise.all(
            sources.visibleTo(actor).map(async (source) => ({
              name: source.settings.name,
              types: Object.keys((await source.types(actor)) ?? {}),
            })),
          );
          const visible = types.filter((one) => one.types.length > 0).map(({ name }) => name);
          assert.deepEqual(
            visible,
            names(({ type }) => may(type)),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});
