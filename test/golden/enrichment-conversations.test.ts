import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openRecordedFixture, type RecordedFixture } from './enrichment-program.ts';
import { grab, judge, type RecordedStep, type ReplayValues, send } from './replay-enrichment.mjs';

/** Routes of the recordings that this version does not serve. */
const UNSERVED = /^\/api\/v1\/(lookup\/enrich|actions|fetchers|registration)(\/|\?|$)/;
/** A route that is served and has the same guard as those. */
const GUARDED = '/api/v1/';
/** Steps that cannot be answered as recorded, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'system-version-list.json#4': 'lists the routes above',
  'system-version-list.json#6': 'lists the routes above',
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
/** Steps of all conversations that call these routes and cannot be asked of another. */
const WAITING = 24;

const folder = join(import.meta.dirname, 'enrichment', 'conversations');
const setup = join(folder, '00-setup.json');
const files = globSync(join(folder, '*.json'))
  .filter((file) => file !== setup)
  .sort();

describe('the recorded conversations of the enrichment service', () => {
  let fixture: RecordedFixture;
  const waiting: string[] = [];
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
      waiting.push(...outcome.filter(({ kind }) => kind === 'waiting').map(({ step }) => step));
      const mismatches = outcome.filter(({ kind }) => kind === 'mismatch');
      different.push(...mismatches.filter(({ step }) => step in DIFFERENT).map(({ step }) => step));
      assert.deepEqual(
        mismatches.filter(({ step }) => !(step in DIFFERENT)).map(({ step, difference }) => `${step}: ${difference}`),
        [],
      );
    });
  }

  it('are judged but for the steps whose routes come later', () => {
    assert.equal(waiting.length, WAITING);
    assert.deepEqual(different.sort(), Object.keys(DIFFERENT), 'the others are answered as recorded: take them off');
  });

  interface Outcome {
    readonly step: string;
    readonly kind: 'passed' | 'waiting' | 'mismatch';
    readonly difference: string | undefined;
  }

  async function play(file: string, base: string, values: ReplayValues): Promise<readonly Outcome[]> {
    const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: readonly RecordedStep[] };
    const outcomes: Outcome[] = [];
    for (const [index, recorded] of steps.entries()) {
      const step = servedInstead(recorded);
      const answer = await send(step.request.server === 'idp' ? fixture.provider : base, step.request, values);
      for (const [name, path] of Object.entries(step.capture ?? {})) values[name] = grab(answer, path) ?? values[name];
      const name = `${basename(file)}#${index + 1}`;
      if (isWaiting(step)) {
        const unknown = answer.status === 404 || answer.status === 405;
        const difference = `${step.request.path} is served (${answer.status}): take it off the routes that are not`;
        outcomes.push(
          unknown
            ? { step: name, kind: 'waiting', difference: undefined }
            : { step: name, kind: 'mismatch', difference },
        );
        continue;
      }
      const wanted = BETTER[name] ?? answer.status;
      const worse = answer.status === wanted ? undefined : `answered with ${answer.status}, not ${wanted}`;
      const difference = step.check === false ? undefined : (worse ?? judge(step, answer, values) ?? undefined);
      outcomes.push({ step: name, kind: difference === undefined ? 'passed' : 'mismatch', difference });
    }
    return outcomes;
  }
});

/**
 * A step that reads from a route which comes later is asked of one that is served, for who may call
 * does not depend on it: what is refused has to
 * be refused as recorded, what is answered has to be answered.
 */
function servedInstead(step: RecordedStep): RecordedStep {
  const { request, response } = step;
  if (request.method !== 'GET' || response.status === 405 || !isWaiting(step)) return step;
  const { body, ...rest } = response;
  return {
    ...step,
    request: { ...request, path: GUARDED },
    response: response.status < 400 ? rest : response,
  };
}

/** Returns true when the step calls a route of a later version and expects more than 404 or 405. */
function isWaiting({ request, response }: RecordedStep): boolean {
  if (request.server === 'idp' || request.method === 'OPTIONS') return false;
  return UNSERVED.test(request.path) && response.status !== 404;
}
