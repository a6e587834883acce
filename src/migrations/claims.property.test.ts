import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { Collection } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { type Migration, migrationDocument } from '../documents/kinds/migration.ts';
import { Conflict, isTriadError } from '../errors/errors.ts';
import { Claims } from './claims.ts';

const EVERYTHING = unrestricted('the test looks at the records');
const signal = new AbortController().signal;

interface Runner {
  /** Pauses of the migration, in which others get their turn. */
  readonly pauses: number;
  readonly fails: boolean;
}
const runner: fc.Arbitrary<Runner> = fc.record({
  pauses: fc.integer({ min: 0, max: 5 }),
  fails: fc.boolean(),
});
const runners = fc.array(runner, { minLength: 2, maxLength: 6 });

describe('claims of many runners in any order of steps', () => {
  let datastore: Datastore;
  let ids = 0;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  /** Every read, write and pause waits for the scheduler; time passes only during pauses. */
  async function race(s: fc.Scheduler, given: readonly Runner[], staleClaimTimeout: number, loseAnswer: () => boolean) {
    const records = datastore.collection(migrationDocument);
    ids += 1;
    const id = `race-${ids}`;
    const turn = (what: string) => s.schedule(Promise.resolve(), what);
    let time = Date.parse('2026-01-02T03:04:05Z');
    const begun = time;
    const clock = {
      now: () => time,
      elapsed: () => time - begun,
      async sleep(milliseconds: number) {
        time += milliseconds;
        await turn('sleep');
      },
    };
    const scheduled = scheduledCollection(records, turn, loseAnswer);
    let inside = 0;
    let mostInside = 0;
    let marked = 0;
    const one = async ({ pauses, fails }: Runner): Promise<string> => {
      const claims = new Claims(scheduled, { waitTimeout: 1e5, pollInterval: 10, staleClaimTimeout }, clock);
      const claim = await claims.acquire(id, { onWait: () => {}, signal });
      if ('waited' in claim) return 'skipped';
      inside += 1;
      mostInside = Math.max(mostInside, inside);
      for (let pause = 0; pause < pauses; pause += 1) await clock.sleep(10);
      inside -= 1;
      try {
        if (fails) {
          await claim.release();
          return 'released';
        }
        await claim.markApplied(1);
        marked += 1;
        assert.equal((await records.get(id, EVERYTHING))?.claim_id, claim.claimId);
        return 'applied';
      } catch (error) {
        if (isTriadError(error) && error.code === 'migration_claim_lost') return 'lost';
        throw error;
      }
    };
    const ends = await s.waitFor(Promise.all(given.map(one)));
    return { ends, mostInside, marked, record: await records.get(id, EVERYTHING) };
  }

  it('lets one in at a time and applies once, while no claim gets stale', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runners, async (s, given) => {
        const { ends, mostInside, marked, record } = await race(s, given, 1e12, () => false);
        assert.equal(mostInside, 1);
        const expected = given.some(({ fails }) => !fails) ? 1 : 0;
        assert.equal(marked, expected);
        assert.equal(record?.status, expected === 1 ? 'applied' : undefined);
        assert.ok(!ends.includes('lost'));
      }),
      { numRuns: 150 },
    );
  });

  it('applies once at most and never takes back what was applied, when claims are replaced', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runners, fc.integer({ min: 0, max: 60 }), async (s, given, stale) => {
        const { ends, marked, record } = await race(s, given, stale, () => false);
        assert.ok(marked <= 1, `applied ${marked} times`);
        assert.equal(record?.status, marked === 1 ? 'applied' : undefined);
        // Who did not apply it saw it applied, gave up by itself, or was told that its claim was lost.
        assert.equal(ends.filter((end) => end === 'applied').length, marked);
        if (marked === 0) assert.ok(ends.every((end) => end === 'released' || end === 'lost'));
      }),
      { numRuns: 150 },
    );
  });

  it('knows its own writes when the answers to them are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), runners, fc.infiniteStream(fc.boolean()), async (s, given, losses) => {
        const willing = given.map(({ pauses }) => ({ pauses, fails: false }));
        const { ends, mostInside, marked } = await race(s, willing, 1e12, () => losses.next().value === true);
        assert.equal(mostInside, 1);
        assert.equal(marked, 1);
        assert.ok(!ends.includes('lost'));
      }),
      { numRuns: 100 },
    );
  });
});

/**
 * `loseAnswer`: the write is done, and its repetition (as clients repeat requests without an answer)
 * is refused.
 */
function scheduledCollection(
  records: Collection<Migration>,
  turn: (what: string) => Promise<unknown>,
  loseAnswer: () => boolean,
): Collection<Migration> {
  return new Proxy(records, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      if (name !== 'getVersioned' && name !== 'save' && name !== 'delete') return method.bind(target);
      return async (...given: unknown[]) => {
        await turn(name);
        const answer = await method.apply(target, given);
        if (name === 'save' && loseAnswer()) throw new Conflict('version_conflict', 'The document changed meanwhile.');
        await turn(`${name} answers`);
        return answer;
      };
    },
  });
}
