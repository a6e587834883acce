import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import type { GuardedAccess } from '../http/route-access.ts';
import { createServiceServer } from '../http/service-server.ts';
import type { Actor } from '../identity/actor.ts';
import { DailyCounts, RequestQuota } from '../identity/limits/quota.ts';
import { until } from '../testing/until.ts';
import { analysisQuota } from './analysis-quota.ts';
import { ANALYSIS_STATUSES, analysisEnvelope } from './operations/analysis-envelope.ts';

const OPEN: GuardedAccess = { privileges: 'by_roles', roles: 'any' };
const NOON = Date.parse('2026-01-02T12:00:00Z');
const HOUR = 3_600_000;

describe('quotas of the analysis service', () => {
  it('refuse a request too many at the same time with a 503 that clients wait for', async (context) => {
    const { app, begun, finish } = await serverFor(context, { quota: 1 });
    const first = app.inject('/slow/');
    await begun;
    const refused = await app.inject('/fast/');
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers['retry-after'], '1');
    const { api_error_message, api_response } = refused.json();
    assert.equal(api_error_message, "You've exceeded your maximum concurrent API calls quota of 1");
    assert.equal(api_response, '');
    finish();
    assert.equal((await first).statusCode, 200);
    await until('the place is given back', async () => (await app.inject('/fast/')).statusCode === 200);
  });

  it('count the requests of a day, tell what remains, and start over at midnight UTC', async (context) => {
    const { app, clock } = await serverFor(context, { dailyQuota: 2 });
    assert.equal(await remaining(app, '/fast/'), '200 1 -');
    assert.equal(await remaining(app, '/concurrent/'), '200 1 -');
    assert.equal(await remaining(app, '/fast/'), '200 0 -');
    assert.equal(await remaining(app, '/fast/'), '503 0 -');
    const { api_error_message } = (await app.inject('/fast/')).json();
    assert.equal(api_error_message, "You've exceeded your daily maximum API calls quota of 2");
    assert.equal(await remaining(app, '/concurrent/'), '200 0 -');
    clock.now += 12 * HOUR;
    assert.equal(await remaining(app, '/fast/'), '200 1 -');
  });

  it('tell what remains of the submissions of the day', async (context) => {
    const { app, counts } = await serverFor(context, { dailySubmissionQuota: 3 });
    assert.equal(await remaining(app, '/fast/'), '200 - 3');
    await counts.increment('submission', 'anna');
    assert.equal(await remaining(app, '/concurrent/'), '200 - 2');
  });

  it('take the defaults of the installation for users without their own, and limit nothing at 0', async (context) => {
    const defaults = { daily_api_calls: 7, daily_submissions: 9 };
    const limited = await serverFor(context, {}, defaults);
    assert.equal(await remaining(limited.app, '/fast/'), '200 6 9');
    const unlimited = await serverFor(context, { dailyQuota: 0, dailySubmissionQuota: 0 }, defaults);
    assert.equal(await remaining(unlimited.app, '/fast/'), '200 - -');
  });
});

/** Status and what the headers say of calls and submissions. */
async function remaining(app: Awaited<ReturnType<typeof serverFor>>['app'], url: string): Promise<string> {
  const { statusCode, headers } = await app.inject(url);
  return `${statusCode} ${headers['x-remaining-quota-api'] ?? '-'} ${headers['x-remaining-quota-submission'] ?? '-'}`;
}

async function serverFor(
  context: TestContext,
  limits: { quota?: number; dailyQuota?: number; dailySubmissionQuota?: number },
  defaults = { daily_api_calls: 0, daily_submissions: 0 },
) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const clock = { now: NOON };
  const counts = new DailyCounts({ counters: coordination.counters, log, now: () => clock.now });
  const actor = { username: 'anna', quota: 0, ...limits } as unknown as Actor;
  const { app } = createServiceServer({
    guard: { identify: async () => actor, authorise: () => {} },
    log,
    quota: analysisQuota({
      places: new RequestQuota({ counters: coordination.counters, log, name: 'analysis-quota' }),
      counts,
      defaults,
      log,
    }),
    audit: false,
    envelope: analysisEnvelope('1.2.3'),
    statuses: ANALYSIS_STATUSES,
    bodyLimit: 1000,
    finalSlash: 'required',
  });
  let finish = () => {};
  const held = new Promise<string>((resolve) => {
    finish = () => resolve('done');
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  app.get('/slow/', { access: OPEN }, () => {
    begin();
    return held;
  });
  app.get('/fast/', { access: OPEN }, async () => 'done');
  app.get('/concurrent/', { access: { ...OPEN, quota: 'concurrent' } }, async () => 'done');
  return { app, clock, counts, begun, finish };
}
