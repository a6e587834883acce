import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { AuditEvent } from '../audit/audit-log.ts';
import { LoginThrottle } from './throttle.ts';

const ADA = { username: 'ada', address: '192.0.2.7' };

describe('LoginThrottle', () => {
  it('locks a user out at one network after the last allowed failure, and neither others nor other networks', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 3; count += 1) await throttle.begin(ADA);
    const locked = {
      code: 'locked_out',
      message: 'Maximum password retry of 3 was reached. This account is locked for the next 60 seconds...',
      retryAfter: 60,
    };
    for (let count = 0; count < 10; count += 1) await assert.rejects(throttle.begin(ADA), locked);
    await assert.rejects(throttle.checkUser(ADA), locked);
    await throttle.begin({ ...ADA, username: 'grace' });
    await throttle.checkUser({ ...ADA, username: 'grace' });
    const elsewhere = { ...ADA, address: '198.51.100.7' };
    await throttle.checkUser(elsewhere);
    await throttle.begin(elsewhere);
  });

  it('locks a user out everywhere after the higher number of failures at several networks', async (context) => {
    const { throttle } = await setUp(context);
    const at = (number: number) => ({ ...ADA, address: `192.0.2.${number}` });
    for (let number = 0; number < 8; number += 1) await throttle.begin(at(number));
    const locked = { code: 'locked_out', message: /^Maximum password retry of 8 was reached/, retryAfter: 60 };
    await assert.rejects(throttle.begin(at(99)), locked);
    await assert.rejects(throttle.checkUser(at(99)), locked);
    assert.equal(await throttle.beginKeyShaped(at(99)), false);
    await throttle.begin({ ...at(99), username: 'grace' });
  });

  it('takes tries that were right back', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 20; count += 1) {
      await throttle.begin(ADA);
      await throttle.succeeded(ADA);
      assert.equal(await throttle.beginKeyShaped(ADA), true);
      await throttle.succeeded(ADA, 'key_shaped');
    }
  });

  it('lets no more through when many try at once', async (context) => {
    const { throttle } = await setUp(context);
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => throttle.begin(ADA)));
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 3);
    await throttle.begin({ ...ADA, address: '198.51.100.7' });
  });

  it('reports once to the audit log that a user, at a network or everywhere, and that an address is locked out', async (context) => {
    const { throttle, events } = await setUp(context);
    const fail = async (address: string) => {
      const counts = await throttle.begin({ username: 'ada', address });
      await throttle.failed(address, { username: 'ada', counts });
    };
    const at = { event: 'locked_out', service: 'alerts' };
    await Promise.allSettled(Array.from({ length: 50 }, () => fail('198.51.100.2')));
    assert.deepEqual(events.splice(0), [
      { ...at, user: 'ada', address: '198.51.100.2' },
      { ...at, address: '198.51.100.2' },
    ]);
    await Promise.allSettled(Array.from({ length: 50 }, (_, number) => fail(`192.0.2.${number}`)));
    await Promise.all(Array.from({ length: 5 }, () => throttle.failed('198.51.100.1')));
    assert.deepEqual(events, [
      { ...at, user: 'ada' },
      { ...at, address: '198.51.100.1' },
    ]);
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

  it('counts an address that is written in several ways once', async (context) => {
    const { throttle } = await setUp(context);
    for (const address of ['2001:DB8::1', '2001:db8:0:0:0::2', '2001:0db8::3%eth0']) await throttle.failed(address);
    await assert.rejects(throttle.checkAddress('2001:db8::4'), { code: 'too_many_failed_logins' });
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201']) await throttle.failed(address);
    await assert.rejects(throttle.checkAddress('192.0.2.1'), { code: 'too_many_failed_logins' });
  });

  it('counts what looks like a key by itself, and not at all for a locked user', async (context) => {
    const { throttle } = await setUp(context);
    for (let count = 0; count < 3; count += 1) assert.equal(await throttle.beginKeyShaped(ADA), true);
    assert.equal(await throttle.beginKeyShaped(ADA), false);
    assert.equal(await throttle.beginKeyShaped({ ...ADA, address: '198.51.100.7' }), true);
    await throttle.begin(ADA);
    const grace = { ...ADA, username: 'grace' };
    for (let count = 0; count < 3; count += 1) await throttle.begin(grace);
    assert.equal(await throttle.beginKeyShaped(grace), false);
  });
});

async function setUp(context: { after(end: () => Promise<void>): void }) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const events: AuditEvent[] = [];
  const throttle = new LoginThrottle({
    counters: coordination.counters,
    settings: { max_failures: 3, max_failures_per_user: 8, max_failures_per_address: 3, failure_ttl: 60 },
    audit: { write: (event) => void events.push(event) },
    service: 'alerts',
  });
  return { throttle, events };
}
