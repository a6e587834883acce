import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CONVERSATION_FOLDERS, openRecordedFixture, type RecordedFixture } from './enrichment-program.ts';
import { grab, judge, type RecordedStep, type ReplayValues, send } from './replay-enrichment.mjs';

/** Steps that cannot be answered as recorded, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'auth-bearer-second-provider.json#3': 'exchanges the token for one of the source',
  'classification-selectors.json#21': 'an empty classification counts as absent',
  'classification-selectors.json#22': 'an empty classification counts as absent',
  'classification-sources.json#6': 'a source that finds nothing (404) has no error',
  'classification-sources.json#8': 'a source that finds nothing (404) has no error',
  'enrich-single-encoding.json#4': 'a source that finds nothing (404) has no error',
  'enrich-single.json#1': 'single lookups hide items above the caller, as bulk lookups do',
  'enrich-single.json#2': 'single lookups hide items above the caller, as bulk lookups do',
  'enrich-single.json#4': 'single lookups hide items above the caller, as bulk lookups do',
  'enrich-single.json#6': 'a source that finds nothing (404) has no error',
  'enrich-single.json#7': 'a source that finds nothing (404) has no error',
  'enrich-sources.json#11': 'single lookups hide items above the caller, as bulk lookups do',
  'enrich-sources.json#3': 'single lookups hide items above the caller, as bulk lookups do',
  'enrich-sources.json#5': 'single lookups hide items above the caller, as bulk lookups do',
  'failure-partial.json#4': 'a type that was not asked for is ignored',
  'failure-partial.json#5': 'a value that was not asked for is ignored',
  'system-version-list.json#4': 'lists routes of ours, too',
  'system-version-list.json#6': 'lists routes of ours, too',
};
/**
 * Steps in which the public system fails and this program does not: the replayer would take another
 * failure, too.
 */
const BETTER: Readonly<Record<string, number>> = {
  // The provider gives no identity token: the access token tells who it is.
  'login-refresh.json#6': 200,
  'static-docs.json#16': 200,
};
const folder = CONVERSATION_FOLDERS.first;
const setup = join(folder, '00-setup.json');
const files = globSync(join(folder, '*.json'))
  .filter((file) => file !== setup)
  .sort();

describe('the recorded conversations of the enrichment service', () => {
  let fixture: RecordedFixture;
  const different: string[] = [];

  before(async () => {
    fixture = await openRecordedFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  for (const file of files) {
    it(basename(file, '.json'), async (context) => {
      const program = await fixture.startProgram();
      context.after(() => program.close());
      const values: ReplayValues = {};
      const outcome = [
        ...(await play(setup, program.urls.enrichment, values)),
        ...(await play(file, program.urls.enrichment, values)),
      ];
      const mismatches = outcome.filter(({ kind }) => kind === 'mismatch');
      different.push(...mismatches.filter(({ step }) => step in DIFFERENT).map(({ step }) => step));
      assert.deepEqual(
        mismatches.filter(({ step }) => !(step in DIFFERENT)).map(({ step, difference }) => `${step}: ${difference}`),
        [],
      );
    });
  }

  it('differ in the listed steps alone', () => {
    assert.deepEqual(different.sort(), Object.keys(DIFFERENT), 'the others are answered as recorded: take them off');
  });

  interface Outcome {
    readonly step: string;
    readonly kind: 'passed' | 'mismatch';
    readonly difference: string | undefined;
  }

  async function play(file: string, base: string, values: ReplayValues): Promise<readonly Outcome[]> {
    const { steps } = JSON.parse(fixture.relocate(readFileSync(file, 'utf8'))) as { steps: readonly RecordedStep[] };
    const outcomes: Outcome[] = [];
    for (const [index, step] of steps.entries()) {
      const answer = await send(step.request.server === 'idp' ? fixture.provider : base, step.request, values);
      for (const [name, path] of Object.entries(step.capture ?? {})) values[name] = grab(answer, path) ?? values[name];
      const name = `${basename(file)}#${index + 1}`;
      const wanted = BETTER[name] ?? answer.status;
      const worse = answer.status === wanted ? undefined : `answered with ${answer.status}, not ${wanted}`;
      const difference = step.check === false ? undefined : (worse ?? judge(step, answer, values) ?? undefined);
      outcomes.push({ step: name, kind: difference === undefined ? 'passed' : 'mismatch', difference });
    }
    return outcomes;
  }
});
