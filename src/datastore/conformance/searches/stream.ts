import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, series, where } from '../things.ts';

/** More than any adapter reads at once. */
const MANY = 2500;

export function streamArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives every match once, in order of identifier', async () => {
    const things = opened.things();
    await fill(things, series(MANY, (index) => ({ port: index % 2 })).toReversed());
    const items = await Array.fromAsync(things.stream(where(things, 'port:1'), EVERYTHING));
    assert.deepEqual(
      items.map(({ id }) => id),
      series(MANY).flatMap(({ thing_id }, index) => (index % 2 ? [thing_id] : [])),
    );
    assert.ok(items.every(({ collection }) => collection === things.definition.name));
    assert.deepEqual(items[0]?.document, { thing_id: 't0001', port: 1 });
  });

  it('orders identifiers by code point', async () => {
    const things = opened.things();
    const ids = ['', ' ', 'B', '_', 'a', 'a0', 'a:', 'é', '\uffee', '😀'].filter((id) => id !== '');
    await fill(
      things,
      ids.toReversed().map((thing_id) => ({ thing_id })),
    );
    const items = await Array.fromAsync(things.stream(ALL, EVERYTHING));
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    );
  });

  it('gives the fields asked for, obeys filters, and gives nothing where nothing is', async () => {
    const things = opened.things();
    await fill(
      things,
      series(4, (index) => ({ port: index, name: 'x' })),
    );
    const selection = { ...ALL, filters: [where(things, 'port:>1').query], fields: ['port'] };
    const items = await Array.fromAsync(things.stream(selection, EVERYTHING));
    assert.deepEqual(
      items.map(({ document }) => document),
      [{ port: 2 }, { port: 3 }],
    );
    assert.deepEqual(await Array.fromAsync(things.stream({ query: { kind: 'none' } }, EVERYTHING)), []);
  });

  it('repeats and leaves out nothing while others write', async () => {
    const things = opened.things();
    await fill(
      things,
      series(MANY, (index) => ({ port: index, name: 'kept' })),
    );
    const seen: string[] = [];
    let rounds = 0;
    for await (const { id } of things.stream(where(things, 'name:kept'), EVERYTHING)) {
      seen.push(id);
      if (seen.length % 500 !== 0) continue;
      rounds += 1;
      // Rewrites documents on both sides of the place that is being read, and adds others.
      await things.updateWhere(
        where(things, `port:[${rounds * 300} TO ${rounds * 300 + 900}]`),
        [{ op: 'append', path: 'tags', value: `round ${rounds}` }],
        { access: EVERYTHING, visible: 'now' },
      );
      await fill(things, [
        { thing_id: `a${rounds}`, name: 'kept' },
        { thing_id: `z${rounds}`, name: 'kept' },
      ]);
      await things.save(`t${String(rounds).padStart(4, '0')}`, { thing_id: `t000${rounds}`, name: 'kept', port: 1 });
    }
    assert.equal(rounds, 5);
    assert.equal(new Set(seen).size, seen.length, 'a document came twice');
    assert.deepEqual(seen, seen.toSorted(), 'out of order');
    const missing = series(MANY).filter(({ thing_id }) => !seen.includes(String(thing_id)));
    assert.deepEqual(missing, [], 'a document that matched all the time did not come');
  });

  it('survives the deletion of what it has not reached yet', async () => {
    const things = opened.things();
    await fill(
      things,
      series(MANY, (index) => ({ port: index })),
    );
    const seen: string[] = [];
    for await (const { id, document } of things.stream(ALL, EVERYTHING)) {
      assert.equal(document.thing_id, id);
      if (seen.length === 10)
        await things.deleteWhere(where(things, 'port:>=2000'), { access: EVERYTHING, visible: 'now' });
      seen.push(id);
    }
    assert.deepEqual(
      seen.filter((id) => id < 't2000'),
      series(2000).map(({ thing_id }) => thing_id),
    );
    assert.equal(new Set(seen).size, seen.length);
  });

  it('can be left early, many at a time', async () => {
    const things = opened.things();
    await fill(things, series(MANY));
    for (let round = 0; round < 20; round += 1) {
      for await (const { id } of things.stream(ALL, EVERYTHING)) {
        assert.equal(id, 't0000');
        break;
      }
    }
    const streams = Array.from({ length: 5 }, () => Array.fromAsync(things.stream(ALL, EVERYTHING)));
    for (const items of await Promise.all(streams)) assert.equal(items.length, MANY);
  });
}
