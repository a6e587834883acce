import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../errors/errors.ts';
import { basic, openIdentityWithUsers } from '../testing/identity/open-test-identity.ts';
import { RequestQuota } from './limits/quota.ts';

const LOGIN = { address: '192.0.2.1' };

describe('identity while coordination is gone', () => {
  it('lets keys in, their own and those of impersonators', async (context) => {
    const { authenticate, coordination } = await openIdentityWithUsers(context);
    await coordination.close();
    for (const key of ['devkey', 'readonly', 'old']) {
      assert.equal((await authenticate(basic(`ada:${key}:secret`))).username, 'ada');
    }
    const impersonating = basic('ada:impersonate:secret');
    assert.equal((await authenticate(basic('grace:devkey:secret'), { impersonating })).username, 'ada');
    await assert.rejects(authenticate(basic('ada:expired:secret')), { code: 'expired_api_key' });
  });

  it('tells no one which password is right, even one that it has just verified', async (context) => {
    const { authenticate, identity, coordination } = await openIdentityWithUsers(context);
    await authenticate(basic('ada:password'));
    await coordination.close();
    const refused = { kind: 'unavailable', code: 'passwords_unavailable', message: /API key/ };
    for (const credential of [
      'ada:password',
      'ada:guess',
      'nobody:guess',
      'ada:devkey:wrong',
      'ada:no such:key',
      'grace:password',
    ]) {
      await assert.rejects(authenticate(basic(credential)), refused, credential);
    }
    await assert.rejects(identity.login({ user: 'ada', password: 'password', ...LOGIN }), refused);
  });

  it('says that a wrong key is wrong, and that a right one gets no token', async (context) => {
    const { identity, coordination } = await openIdentityWithUsers(context);
    await coordination.close();
    for (const apikey of ['devkey:wrong', 'malformed']) {
      await assert.rejects(identity.login({ user: 'ada', apikey, ...LOGIN }), { code: 'invalid_login' });
    }
    await assert.rejects(identity.login({ user: 'ada', apikey: 'devkey:secret', ...LOGIN }), {
      kind: 'unavailable',
      code: 'app_tokens_unavailable',
      message: /with every request/,
    });
  });

  it('says of an app token that it cannot be checked, not that it is bad', async (context) => {
    const { identity, authenticate, coordination } = await openIdentityWithUsers(context);
    const { appToken } = await identity.login({ user: 'ada', apikey: 'devkey:secret', ...LOGIN });
    await coordination.close();
    await assert.rejects(authenticate(`Bearer ${appToken}`), { kind: 'unavailable', code: 'app_tokens_unavailable' });
  });

  it('stores a new password and says that old sessions go on', async (context) => {
    const { accounts, users, coordination } = await openIdentityWithUsers(context);
    const before = (await users.get('ada'))?.password;
    await coordination.close();
    await assert.rejects(accounts.setPassword('ada', 'another password 1!'), {
      kind: 'unavailable',
      code: 'sessions_not_ended',
      message: /stored.*within an hour/,
    });
    assert.notEqual((await users.get('ada'))?.password, before);
  });

  it('admits without a quota, says so once a minute, and counts again afterwards', async (context) => {
    const { counters, close } = await openEmbeddedCoordination({ folder: 'memory' });
    context.after(close);
    let gone = true;
    const lines: string[] = [];
    const answerWhenThere = <T>(answer: () => Promise<T>): Promise<T> =>
      gone ? Promise.reject(new Unavailable('coordination_unavailable', 'gone')) : answer();
    const quota = new RequestQuota({
      counters: {
        enter: (key, limit, lifetime) => answerWhenThere(() => counters.enter(key, limit, lifetime)),
        leave: (key, place) => answerWhenThere(() => counters.leave(key, place)),
      },
      log: { warn: (_, message) => void lines.push(message) },
    });
    const ada = { username: 'ada', quota: 1 };
    const uncounted = await Promise.all([quota.enter(ada), quota.enter(ada), quota.enter(ada)]);
    assert.ok(uncounted.every((place) => place !== undefined));
    assert.equal(lines.length, 1);
    gone = false;
    for (const place of uncounted) await quota.leave(ada, place ?? '');
    const counted = await quota.enter(ada);
    assert.ok(counted);
    assert.equal(await quota.enter(ada), undefined);
    gone = true;
    await quota.leave(ada, counted);
    assert.equal(lines.length, 2);
  });

  it('passes on every other failure', async () => {
    const broken = async (): Promise<never> => {
      throw new TypeError('a defect');
    };
    const quota = new RequestQuota({ counters: { enter: broken, leave: broken }, log: { warn: () => undefined } });
    await assert.rejects(quota.enter({ username: 'ada', quota: 1 }), TypeError);
    await assert.rejects(quota.leave({ username: 'ada' }, 'place'), TypeError);
  });
});
