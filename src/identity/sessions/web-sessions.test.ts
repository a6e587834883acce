import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Coordination } from '../../coordination/coordination.ts';
import { openTestIdentity } from '../../testing/identity/open-test-identity.ts';
import { VerifiedCredentials } from '../verified-credentials.ts';
import { type WebSessionOpening, WebSessions } from './web-sessions.ts';

const HOUR = 3_600_000;
const OPENING: WebSessionOpening = {
  username: 'ada',
  openedWith: 'password',
  credentialFingerprint: 'mark',
  address: '192.0.2.1',
  userAgent: 'browser',
};

/** Sessions in two processes, of which the second is `there`. */
async function open(context: TestContext) {
  const { webSessions: sessions, coordination, clock } = await openTestIdentity(context);
  const shared = { coordination, duration: 43_200, idle: 3600, now: () => clock.now };
  const there = new WebSessions({ ...shared, credentials: new VerifiedCredentials() });
  return { sessions, there, clock, coordination };
}

describe('a session of the web interface', () => {
  it('ends an hour after its last use', async (context) => {
    const { sessions, clock } = await open(context);
    const cookie = await sessions.open(OPENING);
    clock.now += HOUR - 1;
    assert.equal((await sessions.find(cookie))?.username, 'ada');
    await sessions.use(cookie);
    clock.now += HOUR - 1;
    assert.equal((await sessions.find(cookie))?.username, 'ada');
    clock.now += 1;
    assert.equal(await sessions.find(cookie), undefined);
    await sessions.use(cookie);
    assert.equal(await sessions.find(cookie), undefined, 'a later use does not bring it back');
  });

  it('ends twelve hours after it was opened, however much it is used', async (context) => {
    const { sessions, clock } = await open(context);
    const opened = clock.now;
    const cookie = await sessions.open(OPENING);
    while (clock.now < opened + 12 * HOUR - HOUR / 2) {
      clock.now += HOUR / 2;
      await sessions.use(cookie);
    }
    clock.now = opened + 12 * HOUR - 1;
    const found = await sessions.find(cookie);
    assert.equal(found?.expiresAt, opened + 12 * HOUR);
    assert.equal(found?.idleUntil, opened + 12 * HOUR);
    clock.now += 1;
    assert.equal(await sessions.find(cookie), undefined);
  });

  it('is not used by being found', async (context) => {
    const { sessions, clock } = await open(context);
    const cookie = await sessions.open(OPENING);
    for (let minute = 0; minute < 59; minute += 1) {
      clock.now += 60_000;
      assert.notEqual(await sessions.find(cookie), undefined);
    }
    clock.now += 60_000;
    assert.equal(await sessions.find(cookie), undefined);
  });

  it('stays ended when a use is noted late', async (context) => {
    const { sessions, clock, coordination } = await open(context);
    const cookie = await sessions.open(OPENING);
    clock.now += 2 * 60_000;
    const { put } = coordination.tokens;
    let ended: Promise<unknown> | undefined;
    context.mock.method(coordination.tokens, 'put', async (...given: Parameters<typeof put>) => {
      ended ??= sessions.end(cookie);
      await ended;
      return put.apply(coordination.tokens, given);
    });
    await sessions.use(cookie);
    assert.notEqual(ended, undefined);
    assert.equal(await sessions.find(cookie), undefined);
  });

  it('is known to other processes, and its end within a second', async (context) => {
    const { sessions, there, clock } = await open(context);
    const cookie = await sessions.open(OPENING);
    assert.equal((await there.find(cookie))?.username, 'ada');
    await sessions.end(cookie);
    assert.equal(await sessions.find(cookie), undefined);
    clock.now += 1000;
    assert.equal(await there.find(cookie), undefined);
  });

  it('is stored without its cookie', async (context) => {
    const { sessions, coordination } = await open(context);
    const stored: unknown[] = [];
    for (const part of ['tokens', 'tables'] as const) {
      const { put } = coordination[part];
      context.mock.method(coordination[part], 'put', (...given: Parameters<typeof put>) => {
        stored.push(given);
        return Reflect.apply(put, coordination[part], given) as Promise<void>;
      });
    }
    const cookie = await sessions.open(OPENING);
    assert.equal(stored.length, 3);
    assert.ok(!JSON.stringify(stored).includes(cookie));
    assert.match(cookie, /^[\w-]{43}$/);
  });

  it('has a cookie that no caller chooses', async (context) => {
    const { sessions } = await open(context);
    for (const cookie of ['', 'x', 'a'.repeat(43), `${'a'.repeat(43)}:`, '__proto__', '\0']) {
      assert.equal(await sessions.find(cookie), undefined);
      assert.equal(await sessions.end(cookie), undefined);
    }
  });
});

/** Has the first `put` of a kind wait until `release` is called; `isWaiting` resolves when it does. */
function delayFirstPut(context: TestContext, tokens: Coordination['tokens'], prefix: string) {
  const { put } = tokens;
  const [waiting, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  context.mock.method(tokens, 'put', async (...given: Parameters<typeof put>) => {
    if (given[0].startsWith(prefix)) {
      waiting.resolve();
      await released.promise;
    }
    return put.apply(tokens, given);
  });
  return { isWaiting: waiting.promise, release: released.resolve };
}

describe('a session of the web interface that is being opened', () => {
  it('stays in the lists that are read meanwhile, and can be ended', async (context) => {
    const { sessions, there, coordination } = await open(context);
    const { isWaiting, release } = delayFirstPut(context, coordination.tokens, 'web-session:');
    const opening = sessions.open(OPENING);
    await isWaiting;
    assert.deepEqual(await there.list('ada'), [], 'it is not valid yet');
    release();
    const cookie = await opening;
    const [listed] = await there.list('ada');
    assert.equal(await there.endOf('ada', listed?.id ?? ''), true);
    assert.equal(await there.find(cookie), undefined);
  });

  it('is withdrawn when another request ends it meanwhile', async (context) => {
    const { sessions, there, coordination } = await open(context);
    const { isWaiting, release } = delayFirstPut(context, coordination.tokens, 'web-session:');
    const opening = sessions.open(OPENING);
    await isWaiting;
    const [id = ''] = (await coordination.tables.entries('web-sessions:ada')).keys();
    assert.equal(await there.endOf('ada', id), false);
    release();
    await assert.rejects(opening, { code: 'session_ended' });
    const left = await Array.fromAsync(coordination.tokens.scan('web-session'));
    assert.deepEqual(left.flat(), []);
  });

  it('leaves the list a minute after a login that failed on the way', async (context) => {
    const { sessions, coordination, clock } = await open(context);
    const { put } = coordination.tokens;
    const failing = context.mock.method(coordination.tokens, 'put', async (...given: Parameters<typeof put>) => {
      if (given[0].startsWith('web-session:')) throw new Error('cut');
      return put.apply(coordination.tokens, given);
    });
    await assert.rejects(sessions.open(OPENING), /cut/);
    failing.mock.restore();
    const entries = async () => [...(await coordination.tables.entries('web-sessions:ada'))].length;
    clock.now += 60_000;
    await sessions.list('ada');
    assert.equal(await entries(), 1);
    clock.now += 1;
    await sessions.list('ada');
    assert.equal(await entries(), 0);
  });
});

describe('the sessions of a user', () => {
  it('end by their cookie, regardless of what their list has', async (context) => {
    const { sessions, there, coordination } = await open(context);
    const cookie = await sessions.open(OPENING);
    const [listed] = await sessions.list('ada');
    await coordination.tables.take('web-sessions:ada', listed?.id ?? '');
    assert.equal((await there.end(cookie))?.username, 'ada');
    assert.deepEqual((await Array.fromAsync(coordination.tokens.scan('web-session'))).flat(), []);
    assert.equal(await there.end(cookie), undefined);
  });

  it('are listed, the one used last first, and ended one by one', async (context) => {
    const { sessions, there, clock } = await open(context);
    const first = await sessions.open(OPENING);
    clock.now += 1000;
    const second = await there.open({ ...OPENING, userAgent: 'other' });
    await sessions.open({ ...OPENING, username: 'grace' });
    assert.deepEqual(
      (await sessions.list('ada')).map(({ userAgent }) => userAgent),
      ['other', 'browser'],
    );
    clock.now += 120_000;
    await sessions.use(first);
    const [used] = await sessions.list('ada');
    assert.equal(used?.userAgent, 'browser');
    assert.equal(await sessions.endOf('grace', used?.id ?? ''), false, 'not that of another user');
    assert.equal(await sessions.endOf('ada', used?.id ?? ''), true);
    assert.equal(await sessions.endOf('ada', used?.id ?? ''), false);
    assert.equal(await sessions.find(first), undefined);
    assert.notEqual(await sessions.find(second), undefined);
    clock.now += 2 * HOUR;
    assert.deepEqual(await sessions.list('ada'), []);
  });

  it('are a hundred at most: one more ends the oldest', async (context) => {
    const { sessions, clock } = await open(context);
    const cookies: string[] = [];
    for (let count = 0; count < 102; count += 1) {
      clock.now += 1;
      cookies.push(await sessions.open(OPENING));
    }
    assert.equal((await sessions.list('ada')).length, 100);
    const alive = await Promise.all(cookies.map((cookie) => sessions.find(cookie)));
    assert.deepEqual(alive.map((found) => found === undefined).slice(0, 4), [true, true, false, false]);
  });

  it('are twenty at most of one API key, which ends none of another one or of a person', async (context) => {
    const { sessions, clock } = await open(context);
    const openMany = async (count: number, keyName: string | undefined) => {
      for (let opened = 0; opened < count; opened += 1) {
        clock.now += 1;
        await sessions.open({ ...OPENING, openedWith: keyName === undefined ? 'password' : 'api_key', keyName });
      }
    };
    const counts = async () => {
      const listed = await sessions.list('ada');
      return Object.groupBy(listed, ({ keyName = 'person' }) => keyName);
    };
    await openMany(2, undefined);
    await openMany(3, 'other');
    await openMany(21, 'reader');
    const found = await counts();
    assert.deepEqual([found.person?.length, found.other?.length, found.reader?.length], [2, 3, 20]);
    await openMany(99, undefined);
    const later = await counts();
    assert.deepEqual([later.person?.length, later.other?.length, later.reader?.length], [100, 3, 20]);
  });
});
