import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { InstallationKeys } from './installation-keys.ts';

const WEEK = 7 * 24 * 3_600_000;

describe('InstallationKeys', () => {
  it('are made once and shared by all processes, also when all begin at the same time', async (context) => {
    const { open } = await openFixture(context);
    const processes = [open(), open(), open(), open()];
    const known = await Promise.all(processes.map((one) => one.all()));
    assert.equal(new Set(known.map(({ issuer }) => issuer)).size, 1);
    assert.deepEqual([...new Set(known.flatMap(({ keys }) => keys.map(({ id }) => id)))].length, 1);
    assert.match(known[0]?.issuer ?? '', /^urn:triad:[\w-]{16}$/);
  });

  it('are published without their private half', async (context) => {
    const { open } = await openFixture(context);
    const [key] = await open().published();
    assert.deepEqual(Object.keys(key ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    assert.deepEqual([key?.kty, key?.crv, key?.alg, key?.use], ['EC', 'P-256', 'ES256', 'sig']);
  });

  it('are stored so that a reader of the coordination server cannot sign', async (context) => {
    const { open, coordination } = await openFixture(context);
    const [key] = (await open().all()).keys;
    const stored = JSON.stringify(await coordination.tokens.get('installation-keys'));
    const secret = key?.privateKey.export({ format: 'jwk' }).d ?? '';
    const bytes = key?.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') ?? '';
    assert.ok(secret !== '' && stored.includes(key?.id ?? '') && !stored.includes(secret) && !stored.includes(bytes));
  });

  it('are replaced after a week; the predecessor verifies until the next replacement', async (context) => {
    const { open, clock } = await openFixture(context);
    const [here, there] = [open(), open()];
    const first = (await here.all()).keys[0]?.id ?? '';
    await there.all();
    clock.now += WEEK;
    const second = (await here.all()).keys[0]?.id ?? '';
    assert.notEqual(second, first);
    assert.deepEqual((await there.find(second))?.key.id, second);
    assert.deepEqual((await there.find(first))?.key.id, first);
    assert.deepEqual(
      (await there.published()).map(({ kid }) => kid),
      [second, first],
    );
    clock.now += WEEK;
    assert.notEqual((await there.all()).keys[0]?.id, second);
    assert.equal(await there.find(first), undefined);
  });

  it('of another process are found at once, and unknown ones read the stored keys once in a second', async (context) => {
    const { open, clock, reads } = await openFixture(context);
    const here = open();
    await here.all();
    const from = reads.count;
    for (let i = 0; i < 50; i += 1) assert.equal(await here.find(`unknown-${i}`), undefined);
    assert.equal(reads.count, from);
    clock.now += 1000;
    for (let i = 0; i < 50; i += 1) assert.equal(await here.find(`unknown-${i}`), undefined);
    assert.equal(reads.count, from + 1);
  });

  it('are void with another secret, which keeps the issuer', async (context) => {
    const { open } = await openFixture(context);
    const before = await open('old').all();
    const changed = open('new');
    const after = await changed.all();
    assert.equal(after.issuer, before.issuer);
    assert.equal(after.keys.length, 1);
    assert.equal(await changed.find(before.keys[0]?.id ?? ''), undefined);
  });

  it('stay known while the coordination server is away', async (context) => {
    const { open, clock, outage } = await openFixture(context);
    const here = open();
    const { keys } = await here.all();
    outage.error = new Unavailable('coordination_unavailable', 'The coordination server does not answer.');
    clock.now += 2 * 60_000;
    assert.deepEqual((await here.all()).keys, keys);
    await assert.rejects(open().all(), { code: 'coordination_unavailable' });
  });

  it('are made again when what is stored is not of them', async (context) => {
    const { open, coordination } = await openFixture(context);
    for (const stored of ['text', 7, { id: 1 }, { id: 'x', keys: [{ id: 'k', made: 1, sealed: 'AAAA' }] }]) {
      await coordination.tokens.put('installation-keys', stored, WEEK);
      assert.equal((await open().all()).keys.length, 1, JSON.stringify(stored));
    }
  });
});

async function openFixture(context: TestContext) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const clock = { now: Date.parse('2026-01-02T03:04:05Z') };
  const outage: { error: Error | undefined } = { error: undefined };
  const reads = { count: 0 };
  const tokens = {
    ...coordination.tokens,
    put: coordination.tokens.put.bind(coordination.tokens),
    get: async (key: string) => {
      reads.count += 1;
      if (outage.error) throw outage.error;
      return coordination.tokens.get(key);
    },
  };
  const open = (secret = 'secret') =>
    new InstallationKeys({
      coordination: { tokens, locks: coordination.locks },
      secret: async () => secret,
      now: () => clock.now,
    });
  return { coordination, clock, outage, reads, open };
}
