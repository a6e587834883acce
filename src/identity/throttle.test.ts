import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import type { AuditEvent } from './audit/audit-log.ts';
import { LoginThrottle } from './throttle.ts';

describe('LoginThrottle', () => {
  it('locks a user out after the last allowed failure, and nobody else', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 3; count += 1) await throttle.begin('ada');
    await assert.rejects(throttle.begin('ada'), {
      code: 'locked_out',
      message: 'Maximum password retry of 3 was reached. This account is locked for the next 60 seconds...',
      retryAfter: 60,
    });
    await assert.rejects(throttle.checkUser('ada'), { code: 'locked_out' });
    await throttle.begin('grace');
    await throttle.checkUser('grace');
  });

  it('takes tries that were right back', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 10; count += 1) {
      await throttle.begin('ada');
      await throttle.succeeded('ada');
    }
  });

  it('lets no more through when many try at once', async (context) => {
    const { throttle } = await setUp(context);
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => throttle.begin('ada')));
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 3);
  });

  it('tells the audit log once that a user and that an address is locked out, however many try at once', async (context) => {
    const { throttle, events } = await setUp(context);
    const fail = async (address: string) =>
      throttle.failed(address, { username: 'ada', number: await throttle.begin('ada') });
    await Promise.allSettled(Array.from({ length: 50 }, (_, number) => fail(`192.0.2.${number}`)));
    await Promise.all(Array.from({ length: 5 }, () => throttle.failed('198.51.100.1')));
    const [{ address, ...user } = {}, ...more] = events;
    assert.deepEqual(user, { event: 'locked_out', service: 'alerts', user: 'ada' });
    assert.match(String(address), /^192\.0\.2\./);
    assert.deepEqual(more, [{ event: 'locked_out', service: 'alerts', address: '198.51.100.1' }]);
  });

  it('counts failures of an address, an IPv6 network as one', async (context) => {
    const { throttle } = await setUp(context);
    for (const address of ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8::3']) await throttle.failed(address);
    await assert.rejects(throttle.checkAddress('2001:db8::4'), { code: 'too_many_failed_logins', retryAfter: 60 });
    await throttle.checkAddress('2001:db8:0:1::4');
    for (let count = 0; count < 3; count += 1) await throttle.failed('::ffff:192.0.2.1');
    await assert.rejects(throttle.checkAddress('192.0.2.1'), { code: 'too_many_failed_logins' });
    await throttle.checkAddress('192.0.2.2');
  });

  it('counts what looks like a key by itself, and not at all for a locked user', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 3; count += 1) assert.equal(await throttle.beginKeyShaped('ada'), true);
    assert.equal(await throttle.beginKeyShaped('ada'), false);
    await throttle.begin('ada');
    for (let count = 0; count < 3; count += 1) await throttle.begin('grace');
    assert.equal(await throttle.beginKeyShaped('grace'), false);
  });
});

async function setUp(context: { after(end: () => Promise<void>): void }) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const events: AuditEvent[] = [];
  const throttle = new LoginThrottle({
    counters: coordination.counters,
    settings: { max_failures: 3, max_failures_per_address: 3, failure_ttl: 60 },
    audit: { write: (event) => void events.push(event) },
    service: 'alerts',
  });
  return { throttle, events };
}
