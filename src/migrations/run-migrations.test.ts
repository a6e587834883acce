import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { type Migration, migrationDocument } from '../documents/kinds/migration.ts';
import type { Clock } from './claims.ts';
import type { DataMigration, MigrationRun } from './migration.ts';
import { type MigrationOutcome, type MigrationSettings, runMigrations } from './run-migrations.ts';

const EVERYTHING = unrestricted('the test looks at the records');
const START = Date.parse('2026-01-02T03:04:05Z');
const SETTINGS: MigrationSettings = { wait_timeout: 60, poll_interval: 0.5, stale_claim_timeout: 3600 };

describe('runMigrations', () => {
  let datastore: Datastore;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  const records = () => datastore.collection(migrationDocument);
  const record = (id: string) => records().get(id, EVERYTHING);
  const store = (id: string, fields: Record<string, unknown>) =>
    records().save(id, { migration_id: id, ...fields } as unknown as Migration, { visible: 'now' });
  const running = (id: string, secondsAgo: number, claim_id = 'f'.repeat(32)) =>
    store(id, { status: 'running', started_at: new Date(START - secondsAgo * 1000).toISOString(), claim_id });

  async function run(selected: readonly DataMigration[], options: RunOptions = {}) {
    const clock = options.clock ?? steppingClock();
    const heard: string[] = [];
    const outcomes = await runMigrations({
      datastore,
      classification: { unrestricted: '', accessParts: () => assert.fail('nothing is classified') },
      settings: { ...SETTINGS, ...options.settings },
      selected,
      signal: options.signal ?? new AbortController().signal,
      clock,
      report: {
        started: ({ id }) => heard.push(`started ${id}`),
        waiting: ({ id }, since) => heard.push(`waiting ${id} ${(START - since) / 1000}`),
        progress: ({ id }, done, total) => heard.push(`progress ${id} ${done}/${total}`),
        warning: ({ id }, message) => heard.push(`warning ${id} ${message}`),
        finished: ({ id, kind }) => heard.push(`finished ${id} ${kind}`),
      },
    });
    return { outcomes, heard, kinds: outcomes.map(({ kind }) => kind), clock };
  }

  it('claims while it runs, and records what was done', async () => {
    let during: Migration | undefined;
    const { heard } = await run([
      step('first', async ({ progress }) => {
        during = await record('first');
        progress(1, 2);
        return 7;
      }),
    ]);
    assert.match(during?.claim_id ?? '', /^[0-9a-f]{32}$/);
    const { claim_id } = during ?? {};
    const started_at = '2026-01-02T03:04:05.000000Z';
    assert.deepEqual(during, { migration_id: 'first', status: 'running', started_at, claim_id });
    assert.deepEqual(await record('first'), {
      migration_id: 'first',
      status: 'applied',
      started_at,
      claim_id,
      applied_at: started_at,
      affected_documents: 7,
    });
    assert.deepEqual(heard, ['started first', 'progress first 1/2', 'finished first applied']);
    const again = await run([step('first', () => assert.fail('it ran twice'))]);
    assert.deepEqual(again.outcomes, [{ id: 'first', kind: 'already_applied', affectedDocuments: 7, milliseconds: 0 }]);
  });

  it('refuses an empty selection, identifiers that are empty or repeated', async () => {
    await assert.rejects(run([]), { code: 'migration_selection_empty' });
    await assert.rejects(run([step(' ')]), { code: 'migration_id_empty' });
    await assert.rejects(run([step('twice'), step('twice')]), { code: 'migration_selected_twice' });
  });

  it('gives the claim up when the migration fails, and reaches no other', async () => {
    const { kinds, outcomes } = await run([
      step('before'),
      step('fails', () => Promise.reject(new Error('no'))),
      step('behind', () => assert.fail('reached')),
    ]);
    assert.deepEqual(kinds, ['applied', 'failed', 'not_reached']);
    assert.equal(String(failure(outcomes[1])), 'Error: no');
    assert.equal(await record('fails'), undefined);
    assert.equal(await record('behind'), undefined);
    assert.deepEqual((await run([step('fails')])).kinds, ['applied']);
  });

  for (const answer of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '3', true, null, undefined]) {
    it(`takes ${answer} for no number of documents`, async () => {
      const { outcomes } = await run([step('miscounts', async () => answer as number)]);
      assert.match(String(failure(outcomes[0])), /did not answer with a number of documents/);
      assert.equal(await record('miscounts'), undefined);
    });
  }

  it('never touches a damaged record', async () => {
    const damaged = { status: 'running', started_at: '2020-01-02T03:04:05' };
    await store('damaged', damaged);
    const { outcomes } = await run([step('damaged', () => assert.fail('it ran'))]);
    assert.equal((failure(outcomes[0]) as { code?: string }).code, 'migration_record_malformed');
    assert.deepEqual(await record('damaged'), { migration_id: 'damaged', ...damaged });
  });

  it('waits at its interval until another process has applied it', async () => {
    await running('elsewhere', 10);
    const clock = steppingClock(async (elapsed) => {
      if (elapsed === 1500) {
        await store('elsewhere', {
          status: 'applied',
          started_at: new Date(START).toISOString(),
          applied_at: new Date(START).toISOString(),
          affected_documents: 3,
        });
      }
    });
    const { outcomes, heard } = await run([step('elsewhere', () => assert.fail('it ran twice'))], { clock });
    assert.deepEqual(outcomes, [{ id: 'elsewhere', kind: 'waited', affectedDocuments: 3, milliseconds: 1500 }]);
    assert.deepEqual(heard, ['waiting elsewhere 10', 'finished elsewhere waited']);
  });

  it('takes over when the other process gave up', async () => {
    await running('given-up', 10);
    const clock = steppingClock(async () => {
      await records().delete('given-up');
    });
    assert.deepEqual((await run([step('given-up')], { clock })).kinds, ['applied']);
  });

  it('waits no longer than the wait timeout, and leaves the claim alone', async () => {
    await running('busy', 10);
    const settings = { wait_timeout: 1.2 };
    const { outcomes, clock } = await run([step('busy', () => assert.fail('it ran'))], { settings });
    assert.equal((failure(outcomes[0]) as { code?: string }).code, 'migration_wait_timeout');
    assert.equal(clock.elapsed(), 1200);
    assert.equal((await record('busy'))?.claim_id, 'f'.repeat(32));
    await records().delete('busy');
  });

  it('replaces a claim as soon as it is stale, at once or while it waits', async () => {
    await running('stale', 3600);
    assert.deepEqual((await run([step('stale')])).heard, ['started stale', 'finished stale applied']);
    await running('ageing', 3590);
    const { heard, clock } = await run([step('ageing')]);
    assert.deepEqual(heard, ['waiting ageing 3590', 'started ageing', 'finished ageing applied']);
    assert.equal(clock.elapsed(), 10_000);
  });

  it('can neither mark nor delete a claim that was replaced', async () => {
    const replaced = step('frozen', async () => {
      const other = await run([step('frozen', async () => 5)], { clock: steppingClock(undefined, START + 3_600_000) });
      assert.deepEqual(other.kinds, ['applied']);
      return 1;
    });
    const { outcomes, heard } = await run([replaced, step('after-frozen')]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['failed', 'not_reached'],
    );
    assert.equal((failure(outcomes[0]) as { code?: string }).code, 'migration_claim_lost');
    assert.match(heard.join('\n'), /warning frozen The claim could not be released: .*no longer owned/);
    assert.equal((await record('frozen'))?.affected_documents, 5);
  });

  it('neither marks nor deletes the running claim of the process that replaced its own', async () => {
    for (const end of ['succeeds', 'fails']) {
      const id = `replaced-${end}`;
      const { outcomes } = await run([
        step(id, async () => {
          await running(id, 0, 'e'.repeat(32));
          if (end === 'fails') throw new Error('and it fails too');
          return 1;
        }),
      ]);
      const expected = end === 'fails' ? /and it fails too/ : /no longer owned/;
      assert.match(String(failure(outcomes[0])), expected);
      assert.equal((await record(id))?.claim_id, 'e'.repeat(32));
      assert.equal((await record(id))?.status, 'running');
    }
  });

  it('does not bring back a claim that an operator deleted', async () => {
    const { outcomes } = await run([
      step('deleted', async () => {
        await records().delete('deleted');
        return 1;
      }),
    ]);
    assert.equal((failure(outcomes[0]) as { code?: string }).code, 'migration_claim_lost');
    assert.equal(await record('deleted'), undefined);
  });

  it('is interrupted between two batches: the claim is released and the rest not reached', async () => {
    const ending = new AbortController();
    const { kinds } = await run(
      [
        step('long', async ({ signal }) => {
          ending.abort('SIGTERM');
          signal.throwIfAborted();
          return 0;
        }),
        step('behind-long'),
      ],
      { signal: ending.signal },
    );
    assert.deepEqual(kinds, ['interrupted', 'not_reached']);
    assert.equal(await record('long'), undefined);
    assert.deepEqual((await run([step('long'), step('behind-long')])).kinds, ['applied', 'applied']);
  });

  it('marks what was finished although it was asked to end, and then stops', async () => {
    const ending = new AbortController();
    const short = step('short', async () => {
      ending.abort('SIGINT');
      return 4;
    });
    const { kinds } = await run([short, step('behind-short')], { signal: ending.signal });
    assert.deepEqual(kinds, ['applied', 'not_reached']);
    assert.equal((await record('short'))?.affected_documents, 4);
  });

  it('stops waiting when it is asked to end', async () => {
    await running('waits', 10);
    const ending = new AbortController();
    const clock = steppingClock(async () => ending.abort('SIGINT'));
    assert.deepEqual((await run([step('waits')], { clock, signal: ending.signal })).kinds, ['interrupted']);
    assert.equal((await record('waits'))?.claim_id, 'f'.repeat(32));
  });
});

interface RunOptions {
  readonly settings?: Partial<MigrationSettings>;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

function step(id: string, run: MigrationRun = async () => 0): DataMigration {
  return { id, title: 'Test', load: async () => run };
}

function failure(outcome: MigrationOutcome | undefined): unknown {
  assert.ok(outcome?.kind === 'failed', JSON.stringify(outcome));
  return outcome.error;
}

/** Advances only during sleeps; `onSleep` receives the milliseconds since the start. */
function steppingClock(onSleep: (elapsed: number) => Promise<void> = async () => {}, start = START): Clock {
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    async sleep(milliseconds, signal) {
      elapsed += milliseconds;
      await onSleep(elapsed);
      signal.throwIfAborted();
    },
  };
}
