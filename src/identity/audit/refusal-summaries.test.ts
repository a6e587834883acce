import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AUDIT_EVENTS, type AuditEvent, type AuditEventName } from './audit-log.ts';
import { MAX_PER_NETWORK, MAX_TOTAL, RefusalSummaries, SUMMARY_INTERVAL } from './refusal-summaries.ts';

const REFUSAL: AuditEvent = {
  event: 'login_failed',
  service: 'alerts',
  user: 'ada',
  method: 'password',
  code: 'invalid_login',
  address: '192.0.2.1',
};

/** The written events: the first of a kind and the summaries. */
function open(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const written: AuditEvent[] = [];
  const summaries = new RefusalSummaries((event) => void written.push(event));
  const write = (event: AuditEvent) => {
    if (summaries.admit(event)) written.push(event);
  };
  const minute = () => context.mock.timers.tick(SUMMARY_INTERVAL);
  return { written, write, minute };
}

describe('refusals that come again and again', () => {
  it('are one line when they begin and one a minute, however they come', (context) => {
    const { written, write, minute } = open(context);
    for (let one = 0; one < 5; one++) {
      write({ ...REFUSAL, requestId: `${one}`, userAgent: `agent ${one}`, call: `POST /${one}` });
    }
    assert.deepEqual(written, [{ ...REFUSAL, requestId: '0', userAgent: 'agent 0', call: 'POST /0' }]);
    minute();
    assert.deepEqual(JSON.parse(JSON.stringify(written[1])), { ...REFUSAL, more: 4 });
    minute();
    assert.equal(written.length, 2, 'nothing more came');
    write(REFUSAL);
    minute();
    assert.deepEqual(written.slice(2), [REFUSAL], 'the first of a minute is one by itself');
  });

  const DIFFERENCES: readonly Partial<AuditEvent>[] = [
    { event: 'credential_refused' },
    { service: 'analysis' },
    { user: 'grace' },
    { method: 'api_key' },
    { code: 'locked_out' },
    { address: '192.0.2.2' },
    { key: 'mine' },
    { provider: 'main' },
    { azp: 'client' },
    { target: 'analysis' },
    { by: 'admin' },
    { impersonator: 'agent' },
  ];
  it('are different when what they are about, or why, or from where differs', (context) => {
    const { written, write } = open(context);
    write(REFUSAL);
    for (const difference of DIFFERENCES) write({ ...REFUSAL, ...difference });
    assert.equal(written.length, DIFFERENCES.length + 1);
  });

  it('are counted without the name of the user when a network has too many different ones', (context) => {
    const { written, write, minute } = open(context);
    const address = (one: number) => `2001:db8:0:1::${one.toString(16)}`;
    for (let one = 0; one < 500; one++) write({ ...REFUSAL, user: `user${one}`, address: address(one) });
    write({ ...REFUSAL, user: 'ada', address: '192.0.2.1' });
    assert.equal(written.length, MAX_PER_NETWORK + 1, 'others have their own');
    minute();
    const [summary, ...rest] = written.slice(MAX_PER_NETWORK + 1);
    assert.deepEqual(rest, []);
    const { user, ...alike } = REFUSAL;
    assert.deepEqual(summary, { ...alike, address: '2001:db8:0:1::/64', more: 500 - MAX_PER_NETWORK });
  });

  it('fill the log no faster when they come from everywhere, and none is left uncounted', (context) => {
    const { written, write, minute } = open(context);
    const sent = 20_000;
    for (let one = 0; one < sent; one++)
      write({ ...REFUSAL, user: `user${one}`, address: `10.${one >> 8}.${one & 255}.1` });
    assert.equal(written.length, MAX_TOTAL);
    minute();
    assert.ok(written.length < 3 * MAX_TOTAL, `${written.length} lines`);
    assert.equal(
      written.reduce((total, { more = 1 }) => total + more, 0),
      sent,
    );
  });

  it('are kept in memory no longer than they are written', (context) => {
    const { written, write, minute } = open(context);
    for (let one = 0; one < 3; one++) write({ ...REFUSAL, user: 'x'.repeat(100_000) + one });
    minute();
    assert.equal(written.at(-1)?.user?.length, 257);
    assert.equal(written.at(-1)?.more, 2, 'what is cut alike is alike');
  });
});

it('what was done, and anyone who was locked out, is written each time', (context) => {
  const { written, write } = open(context);
  const refusals: readonly AuditEventName[] = [
    'login_failed',
    'credential_refused',
    'api_key_refused',
    'token_exchange_failed',
  ];
  const others = (Object.keys(AUDIT_EVENTS) as AuditEventName[]).filter((name) => !refusals.includes(name));
  for (const event of others) for (let one = 0; one < 2000; one++) write({ ...REFUSAL, event });
  assert.equal(written.length, others.length * 2000);
});
