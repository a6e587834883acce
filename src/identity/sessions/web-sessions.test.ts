import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

type TestContext = Parameters<typeof openTestIdentity>[0];

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

describe('the sessions of a user', () => {
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
});
