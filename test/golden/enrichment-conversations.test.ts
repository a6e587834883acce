import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import {
  CONVERSATION_FOLDERS,
  openRecordedFixture,
  type RecordedFixture,
  type RecordedProfile,
} from './enrichment-program.ts';
import { grab, judge, type RecordedStep, type ReplayValues, send } from './replay-enrichment.mjs';

/** Steps that cannot be answered as recorded, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'actions-list.json#1': 'actions of a source above the caller are hidden',
  'actions-list.json#2': 'actions of a source above the caller are hidden',
  'actions-list.json#3': 'actions of a source above the caller are hidden',
  'classification-selectors.json#21': 'an empty classification counts as absent',
  'classification-selectors.json#22': 'an empty classification counts as absent',
  'classification-sources.json#6': 'a source that finds nothing (404) has no error',
  'classification-sources.json#8': 'a source that finds nothing (404) has no error',
  'enforcement-off.json#8': 'no source gets the key of a program',
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
  'gravatar.json#4': 'a user without a name has that of the account',
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

const redis = outsideServer('redis');

/** Every conversation runs with embedded parts, and those of the first profile on Redis, too. */
const RUNS: readonly {
  readonly profile: RecordedProfile;
  readonly engine: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly unavailable?: string | undefined;
}[] = [
  { profile: 'first', engine: 'embedded' },
  { profile: 'second', engine: 'embedded' },
  {
    profile: 'first',
    engine: 'Redis',
    settings: { 'coordination.type': 'redis', 'coordination.url': `${redis.url}/9` },
    unavailable: redis.unavailable,
  },
];

for (const { profile, engine, settings, unavailable } of RUNS) {
  describe(`the recorded conversations, ${profile} profile, ${engine}`, { skip: unavailable ?? false }, () => {
    const folder = CONVERSATION_FOLDERS[profile];
    const setup = join(folder, '00-setup.json');
    const files = globSync(join(folder, '*.json'))
      .filter((file) => file !== setup)
      .sort();
    const different: string[] = [];
    let fixture: RecordedFixture;

    before(async () => {
      fixture = await openRecordedFixture(profile);
    });
    after(() => fixture[Symbol.asyncDispose]());

    for (const file of files) {
      it(basename(file, '.json'), async (context) => {
        const program = await fixture.startProgram(settings);
        context.after(() => program.close());
        const values: ReplayValues = {};
        const mismatches = [
          ...(await play(fixture, setup, program.urls.enrichment, values)),
          ...(await play(fixture, file, program.urls.enrichment, values)),
        ];
        different.push(...mismatches.filter(({ step }) => step in DIFFERENT).map(({ step }) => step));
        assert.deepEqual(
          mismatches.filter(({ step }) => !(step in DIFFERENT)).map(({ step, difference }) => `${step}: ${difference}`),
          [],
        );
      });
    }

    it('differ in the listed steps alone', () => {
      const names = new Set(files.map((file) => basename(file)));
      const listed = Object.keys(DIFFERENT).filter((step) => names.has(step.replace(/#.*/, '')));
      assert.deepEqual(different.sort(), listed.sort(), 'the others are answered as recorded: take them off');
    });
  });
}

interface Mismatch {
  readonly step: string;
  readonly difference: string;
}

/** Replays a conversation and returns the steps with another answer than the recorded one. */
async function play(
  { provider, relocate }: RecordedFixture,
  file: string,
  base: string,
  values: ReplayValues,
): Promise<readonly Mismatch[]> {
  const { steps } = JSON.parse(relocate(readFileSync(file, 'utf8'))) as { steps: readonly RecordedStep[] };
  const mismatches: Mismatch[] = [];
  for (const [index, step] of steps.entries()) {
    const answer = await send(step.request.server === 'idp' ? provider : base, step.request, values);
    for (const [name, path] of Object.entries(step.capture ?? {})) values[name] = grab(answer, path) ?? values[name];
    const name = `${basename(file)}#${index + 1}`;
    const wanted = BETTER[name] ?? answer.status;
    const worse = answer.status === wanted ? undefined : `answered with ${answer.status}, not ${wanted}`;
    const difference = step.check === false ? undefined : (worse ?? judge(step, answer, values) ?? undefined);
    if (difference !== undefined) mismatches.push({ step: name, difference });
  }
  return mismatches;
}
