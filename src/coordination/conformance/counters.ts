import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredCount } from '../coordination.ts';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function countersArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('starts at 0, adds 1 or the amount given, and returns the new count', async () => {
    const { coordination, peer } = opened.current;
    assert.equal(await coordination.counters.get('plain'), 0);
    assert.equal(await coordination.counters.increment('plain', 60_000), 1);
    assert.equal(await peer.counters.increment('plain', 60_000, { by: 5 }), 6);
    assert.equal(await coordination.counters.increment('plain', 60_000, { by: -2 }), 4);
    assert.equal(await coordination.counters.get('plain'), 4);
  });

  it('counts every one of many concurrent increments, each with a result of its own', async () => {
    const { coordination, peer } = opened.current;
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? peer : coordination).counters.increment('many', 60_000)),
    );
    assert.deepEqual(
      results.toSorted((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });

  it('forgets a lifetime after the first increment', async () => {
    const { coordination, advance } = opened.current;
    await coordination.counters.increment('window', 600);
    await advance(360);
    assert.equal(await coordination.counters.increment('window', 600), 2);
    await advance(360);
    assert.equal(await coordination.counters.get('window'), 0);
    assert.equal(await coordination.counters.increment('window', 600), 1);
  });

  it('forgets a lifetime after the last increment with renew', async () => {
    const { coordination, advance } = opened.current;
    await coordination.counters.increment('renewed', 600, { renew: true });
    await advance(360);
    await coordination.counters.increment('renewed', 600, { renew: true });
    await advance(360);
    assert.equal(await coordination.counters.get('renewed'), 2);
    await advance(360);
    assert.equal(await coordination.counters.get('renewed'), 0);
  });

  it('shows the counts whose keys start so with their expiry, and forgets one', async () => {
    const { coordination, peer } = opened.current;
    await coordination.counters.increment('shown:a', 60_000, { by: 3 });
    await peer.counters.increment('shown:*', 60_000);
    await coordination.counters.increment('shownx', 60_000);
    const shown = async () => {
      const found = new Map<string, StoredCount>();
      for await (const batch of peer.counters.scan('shown:')) for (const one of batch) found.set(one.key, one);
      return found;
    };
    const found = await shown();
    assert.deepEqual([...found.keys()].sort(), ['shown:*', 'shown:a']);
    assert.equal(found.get('shown:a')?.count, 3);
    assert.ok(Math.abs(Number(found.get('shown:a')?.expiresAt) - Date.now() - 60_000) < 30_000);
    assert.equal(await peer.counters.remove('shown:a'), true);
    assert.equal(await coordination.counters.remove('shown:a'), false);
    assert.equal(await coordination.counters.get('shown:a'), 0);
    assert.deepEqual([...(await shown()).keys()], ['shown:*']);
    assert.equal(await coordination.counters.increment('shown:a', 60_000), 1);
  });

  it('grants as many slots as there are, and one more for each that is returned', async () => {
    const { coordination, peer } = opened.current;
    const attempts = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? peer : coordination).counters.enter('room', 3, 60_000)),
    );
    const places = attempts.filter((place) => place !== undefined);
    assert.equal(places.length, 3);
    assert.equal(new Set(places).size, 3);
    await peer.counters.leave('room', places[0] ?? '');
    await coordination.counters.leave('room', places[0] ?? '');
    assert.notEqual(await coordination.counters.enter('room', 3, 60_000), undefined);
    assert.equal(await coordination.counters.enter('room', 3, 60_000), undefined, 'leaving twice frees one place');
    assert.notEqual(await coordination.counters.enter('another room', 3, 60_000), undefined);
  });

  it('keeps a place that is entered again, in a full room too', async () => {
    const { coordination, peer, advance } = opened.current;
    const kept = await coordination.counters.enter('kept', 2, 100);
    assert.equal(await coordination.counters.enter('kept', 2, 60_000, 'named'), 'named');
    assert.equal(await peer.counters.enter('kept', 2, 60_000, kept), kept);
    await advance(150);
    assert.equal(await coordination.counters.enter('kept', 2, 60_000), undefined, 'both are held');
    await coordination.counters.leave('kept', 'named');
    assert.notEqual(await coordination.counters.enter('kept', 2, 60_000), undefined, 'entering twice held one place');
    assert.equal(await coordination.counters.enter('kept', 2, 60_000, 'named'), undefined, 'it was given back');
  });

  it('frees a place whose lifetime is over', async () => {
    const { coordination, advance } = opened.current;
    const overdue = await coordination.counters.enter('overstayed', 1, 100);
    await advance(150);
    assert.notEqual(await coordination.counters.enter('overstayed', 1, 60_000), undefined);
    await coordination.counters.leave('overstayed', overdue ?? '');
    assert.equal(await coordination.counters.enter('overstayed', 1, 60_000), undefined, 'the late leave freed nothing');
  });
}
