import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ABSENT } from '../../port/versions.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series, where } from '../things.ts';

const PARALLEL = 50;

export function concurrencyArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('adds up increments that run at once', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', port: 0 });
    const results = await Promise.all(
      times((index) =>
        things.update('a', [
          { op: 'increment', path: 'port', by: 1 },
          { op: 'append', path: 'ports', value: index },
          { op: 'max', path: 'score', value: index },
        ]),
      ),
    );
    const document = await things.get('a', EVERYTHING);
    assert.equal(document?.port, PARALLEL);
    assert.equal(document?.score, PARALLEL - 1);
    assert.equal(new Set(document?.ports as number[]).size, PARALLEL);
    assert.equal(new Set(results.map(({ version }) => version)).size, PARALLEL);
    assert.equal(new Set(results.map((result) => result.document.port)).size, PARALLEL);
  });

  it('lets one of many writers on the same version win', async () => {
    const things = opened.things();
    const version = await things.save('a', { thing_id: 'a' });
    const outcomes = await Promise.allSettled(
      times((port) => things.save('a', { thing_id: 'a', port }, { ifVersion: version })),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    assert.equal(winners.length, 1);
    assert.equal((await things.get('a', EVERYTHING))?.port, winners[0]);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'version_conflict');
  });

  it('lets one of many creators win', async () => {
    const things = opened.things();
    const outcomes = await Promise.allSettled(
      times((port) => things.save('a', { thing_id: 'a', port }, { ifVersion: ABSENT, visible: 'now' })),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    assert.equal(winners.length, 1);
    assert.equal((await things.get('a', EVERYTHING))?.port, winners[0]);
    assert.deepEqual(await found(things, '*:*'), ['a']);
  });

  it('lets one of many deleters delete', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a' });
    const deleted = await Promise.all(times(() => things.delete('a')));
    assert.equal(deleted.filter(Boolean).length, 1);
  });

  it('stores everything that is written at once, of every kind', async () => {
    const things = opened.things();
    await fill(things, series(PARALLEL));
    await Promise.all([
      ...times((index) => things.save(`s${index}`, { thing_id: `s${index}`, name: 'saved' }, { visible: 'now' })),
      ...times(async (index) => {
        const documents = [0, 1].map((half) => ({
          id: `b${index}-${half}`,
          document: { thing_id: 'b', name: 'bulk' },
        }));
        if (index % 2 === 0) await things.createAll(documents, 'now');
        else
          await things.bulk(
            documents.map((one) => ({ kind: 'save', ...one })),
            { visible: 'now' },
          );
      }),
      ...series(PARALLEL).map(({ thing_id }) =>
        things.update(String(thing_id), [{ op: 'set', path: 'name', value: 'updated' }], { visible: 'now' }),
      ),
    ]);
    assert.equal((await found(things, 'name:saved')).length, PARALLEL);
    assert.equal((await found(things, 'name:bulk')).length, PARALLEL * 2);
    assert.equal((await found(things, 'name:updated')).length, PARALLEL);
  });

  it('loses no increment beside an update of everything', async () => {
    const things = opened.things();
    await fill(
      things,
      series(40, () => ({ port: 0 })),
    );
    const increment = [{ op: 'increment', path: 'port', by: 1 }] as const;
    await Promise.all([
      things.updateWhere(ALL, increment, { access: EVERYTHING }),
      ...series(40).map(({ thing_id }) => things.update(String(thing_id), increment)),
      things.updateWhere(where(things, 'thing_id:*'), increment, { access: EVERYTHING, visible: 'now' }),
    ]);
    const ports = (
      await things.getMany(
        series(40).map(({ thing_id }) => String(thing_id)),
        EVERYTHING,
      )
    ).map((document) => document?.port);
    assert.deepEqual(ports, Array(40).fill(3));
  });

  it('answers searches with states that were, while others write', async () => {
    const things = opened.things();
    await fill(
      things,
      series(20, () => ({ name: 'x', port: 1 })),
    );
    let writing = true;
    const writer = (async () => {
      for (let round = 0; round < 15; round += 1) {
        // Either all or none of the two: a search must never see one alone.
        await things.createAll(
          [
            { id: `p${round}`, document: { thing_id: 'p', name: 'pair', port: 2 } },
            { id: `q${round}`, document: { thing_id: 'q', name: 'pair', port: -2 } },
          ],
          'now',
        );
      }
      writing = false;
    })();
    while (writing) {
      const { total, items } = await things.search({ ...where(things, 'name:x'), rows: 100 }, EVERYTHING);
      assert.deepEqual([total, items.length], [20, 20]);
      if (opened.store.capabilities.instantVisibility) {
        assert.equal((await things.count(where(things, 'name:pair'), EVERYTHING)) % 2, 0, 'half of a creation');
      }
    }
    await writer;
    assert.equal(await things.count(where(things, 'name:pair'), EVERYTHING), 30);
  });
}

function times<T>(work: (index: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: PARALLEL }, (_, index) => work(index));
}
