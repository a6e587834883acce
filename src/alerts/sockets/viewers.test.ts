import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Coordination } from '../../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Viewers } from './viewers.ts';

describe('the viewers of a record', () => {
  let coordination: Coordination;
  const clock = { now: Date.now() };
  const viewers = () => new Viewers({ ...coordination, now: () => clock.now });

  before(async () => {
    coordination = await openEmbeddedCoordination({ folder: 'memory' });
  });
  after(() => coordination.close());

  it('are the users of its connections, sorted, each once, in all processes', async () => {
    const [first, second] = [viewers(), viewers()];
    assert.deepEqual(await first.add('a', '1', 'uma'), ['uma']);
    assert.deepEqual(await second.add('a', '2', 'ana'), ['ana', 'uma']);
    assert.deepEqual(await second.add('a', '3', 'ana'), ['ana', 'uma']);
    assert.deepEqual(await first.of('a'), ['ana', 'uma']);
    assert.deepEqual(await first.of('b'), []);
  });

  it('include a user until the last of their connections leaves', async () => {
    const one = viewers();
    await one.add('c', '1', 'ana');
    await one.add('c', '2', 'ana');
    assert.deepEqual(await one.remove('c', '1'), ['ana']);
    assert.deepEqual(await one.remove('c', '2'), []);
    assert.deepEqual(await one.remove('c', '2'), []);
  });

  it('keep every connection when many come and go at once in several processes', async () => {
    const processes = [viewers(), viewers(), viewers()];
    const every = (change: (one: Viewers, at: number) => Promise<unknown>) =>
      Promise.all(Array.from({ length: 60 }, (_, at) => change(processes[at % 3] ?? viewers(), at)));
    await every((one, at) => one.add('d', String(at), `user-${at}`));
    assert.equal((await viewers().of('d')).length, 60);
    await every((one, at) => (at % 2 === 0 ? one.remove('d', String(at)) : one.add('d', String(at), `user-${at}`)));
    assert.equal((await viewers().of('d')).length, 30);
  });

  it('are those of 1,000 connections at most', async () => {
    const until = clock.now + 90_000;
    const full = Array.from({ length: 999 }, (_, at) => [String(at), { username: `user-${at}`, until }]);
    await coordination.tokens.put('viewers:f', Object.fromEntries(full), 90_000);
    const one = viewers();
    assert.equal((await one.add('f', 'x', 'ana')).length, 1000);
    assert.equal((await one.add('f', 'y', 'uma')).includes('uma'), false);
    assert.equal((await one.add('f', 'x', 'ana')).length, 1000);
    await one.remove('f', '0');
    assert.equal((await one.add('f', 'y', 'uma')).includes('uma'), true);
  });

  it('lapse 90 seconds after a killed process renewed them last', async () => {
    const one = viewers();
    await one.add('e', '1', 'ana');
    clock.now += 60_000;
    await one.add('e', '2', 'uma');
    clock.now += 40_000;
    assert.deepEqual(await one.of('e'), ['uma']);
    assert.deepEqual(await one.add('e', '2', 'uma'), ['uma']);
    clock.now += 80_000;
    assert.deepEqual(await one.of('e'), ['uma']);
  });
});
