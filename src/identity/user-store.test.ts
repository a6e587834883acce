import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestIdentity, saveUser } from '../testing/identity/open-test-identity.ts';

describe('UserStore', () => {
  it('remembers users for a second, the same object while nothing changes', async (context) => {
    const { users, collection, clock } = await openTestIdentity(context);
    await saveUser(users, 'ada');
    const first = await users.recent('ada');
    clock.now += 5000;
    assert.equal(await users.recent('ada'), first);
    await collection.update('ada', [{ op: 'set', path: 'name', value: 'Ada' }]);
    assert.equal(await users.recent('ada'), first);
    clock.now += 1000;
    assert.equal((await users.recent('ada'))?.name, 'Ada');
  });

  it('finds users by their address and by who they are at a provider', async (context) => {
    const { users } = await openTestIdentity(context);
    await saveUser(users, 'grace', { email: 'Ada@Example.org' });
    await saveUser(users, 'ada', { email: 'ada@example.org', identity_id: 'main:1' });
    assert.equal((await users.findByEmail('ada@example.org'))?.uname, 'ada');
    assert.equal((await users.findByIdentity('main:1'))?.uname, 'ada');
    assert.ok((await users.findByIdentity('main:1'))?.password);
    assert.equal(await users.findByIdentity('main:*'), undefined);
    await users.delete('ada');
    assert.equal((await users.findByEmail('ada@example.org'))?.uname, 'grace');
  });

  it('creates no account whose name differs from another in case alone', async (context) => {
    const { users } = await openTestIdentity(context);
    await saveUser(users, 'Ada.[Lovelace]*');
    const like = async (uname: string) => users.create({ ...(await saveUser(users, 'template')), uname });
    const taken = { kind: 'conflict', code: 'already_exists' };
    for (const name of ['Ada.[Lovelace]*', 'ada.[lovelace]*', 'ADA.[LOVELACE]*'])
      await assert.rejects(like(name), taken);
    const long = `${'aB'.repeat(127)}-ß`;
    for (const name of ['adaX[lovelace]*', 'ada.[lovelace]', 'ada.L*', 'a"d\\a', long]) await like(name);
    await assert.rejects(like(long.toUpperCase().replace('SS', 'ß')), taken);
    await assert.rejects(like('A"D\\A'), taken);
    assert.equal(await users.get('ADA.[LOVELACE]*'), undefined);
    const twins = await Promise.allSettled(['Twin', 'twin', 'TWIN'].map(like));
    assert.ok(twins.filter(({ status }) => status === 'fulfilled').length <= 1);
    assert.ok((await users.list()).filter(({ uname }) => uname.toLowerCase() === 'twin').length <= 1);
  });

  it('forgets a user with each of its own writes', async (context) => {
    const { users } = await openTestIdentity(context);
    await saveUser(users, 'ada');
    await users.recent('ada');
    await users.addFavourite('ada', 'favourite_views', 'v1');
    await users.addFavourite('ada', 'favourite_views', 'v1');
    assert.deepEqual((await users.recent('ada'))?.favourite_views, ['v1']);
    await users.removeFavourite('ada', 'favourite_views', 'v1');
    assert.deepEqual((await users.recent('ada'))?.favourite_views, []);
    await users.delete('ada');
    assert.equal(await users.recent('ada'), undefined);
  });

  it('does not remember a read that a write overtook', async (context) => {
    const { users } = await openTestIdentity(context);
    await saveUser(users, 'ada');
    const [, changed] = await Promise.all([
      users.recent('ada'),
      users.update('ada', [{ op: 'set', path: 'name', value: 'Ada' }]),
      users.recent('ada'),
    ]);
    assert.equal(changed.name, 'Ada');
    assert.equal((await users.recent('ada'))?.name, 'Ada');
  });

  it('knows no user of an impossible name', async (context) => {
    const { users } = await openTestIdentity(context);
    for (const name of ['', 'x'.repeat(5000), '\u0000', '../..', '__proto__']) {
      assert.equal(await users.recent(name), undefined);
      assert.equal(await users.get(name), undefined);
    }
  });
});
