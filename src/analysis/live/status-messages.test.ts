import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { aService, openDispatch } from '../../testing/analysis/dispatch-fixture.ts';
import { ALERT_QUEUE } from '../completion/action-runner.ts';
import { levelQueue } from '../ingest/ingester.ts';
import { ServiceCounts } from '../results/service-counts.ts';
import { RecentTotals } from './recent-totals.ts';
import { Heartbeats, STATUS_CHANNEL } from './status-messages.ts';

describe('Heartbeats', () => {
  it('show every component in the shape of the public system, with the counts of the last minute', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('Off', { enabled: false })] });
    const { coordination, dispatcher } = test;
    const counts = { received: 5, completed: 3, duplicates: 1, cache_hits: 2, dropped: 1, failed: 0 };
    const serviceCounts = new ServiceCounts();
    const deleted = new Map([['result', 4]]);
    const heartbeats = new Heartbeats({
      ...{ coordination, dispatcher, serviceCounts },
      ingest: { inFlight: async () => 7, counts: { ...counts, retried: 1, timed_out: 1 } },
      alerter: { counts: { received: 3, created: 2, updated: 1, error: 0 } },
      expiry: {
        deleted,
        pending: async () =>
          new Map([
            ['result', 10],
            ['file', 2],
          ]),
      },
      services: { all: async () => test.services },
      settings: loadConfig({ environment: {} }).analysis,
    });
    const heard: { readonly msg_type: string; readonly msg: Record<string, unknown> }[] = [];
    const unsubscribe = await coordination.events.subscribe(STATUS_CHANNEL, (_, message) => {
      heard.push(message as (typeof heard)[number]);
    });
    context.after(unsubscribe);
    await coordination.queues.push(levelQueue('low'), [1, 2, 3]);
    await coordination.queues.push(ALERT_QUEUE, [1]);
    await test.submit('root');
    const task = await test.next('A');
    await heartbeats.beat();
    assert.deepEqual(
      heard.map(({ msg_type }) => msg_type),
      ['DispatcherHeartbeat', 'IngestHeartbeat', 'AlerterHeartbeat', 'ExpiryHeartbeat', 'ServiceHeartbeat'],
    );
    const [dispatching, ingester, alerter, expiry, service] = heard.map(({ msg }) => msg);
    assert.deepEqual(dispatching?.inflight, { max: 1000, outstanding: 1, per_instance: [1] });
    assert.deepEqual(ingester?.processing, { inflight: 7 });
    assert.deepEqual(ingester?.processing_chance, { critical: 1, high: 1, medium: 1, low: 1 });
    assert.deepEqual(ingester?.queues, { ingest: 0, complete: 0, critical: 0, high: 0, medium: 0, low: 3 });
    const metrics = countsOf(ingester);
    assert.deepEqual(
      [metrics.submissions_ingested, metrics.cache_hit, metrics.skipped, metrics.retries, metrics.timed_out],
      [5, 2, 1, 1, 1],
    );
    assert.deepEqual(alerter?.queues, { alert: 1, alert_retry: 0 });
    assert.deepEqual(alerter?.metrics, { received: 3, created: 2, updated: 1, error: 0 });
    assert.deepEqual(expiry, { instances: 1, metrics: { result: 4, file: 0 }, queues: { result: 10, file: 2 } });
    assert.deepEqual([service?.service_name, service?.queue, service?.activity], ['A', 0, { busy: 1, idle: 0 }]);
    assert.equal(countsOf(service).execute, 0);

    heard.length = 0;
    await test.finish(task);
    serviceCounts.add('A', 'execute', 'scored');
    for (let beat = 0; beat < 12; beat += 1) await heartbeats.beat();
    const last = countsOf(heard.at(-1)?.msg);
    assert.deepEqual([last.execute, last.scored, last.not_scored], [1, 1, 0]);
    heard.length = 0;
    for (let beat = 0; beat < 2; beat += 1) await heartbeats.beat();
    assert.equal(countsOf(heard.at(-1)?.msg).execute, 0);
  });
});

function countsOf(message: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, number>> {
  return (message?.metrics ?? assert.fail()) as Record<string, number>;
}

describe('RecentTotals', () => {
  it('grow with what came in the last twelve looks', () => {
    const recent = new RecentTotals<'count'>();
    const grown = Array.from({ length: 20 }, (_, look) => recent.since({ count: look }).count);
    assert.deepEqual(grown, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12, 12, 12, 12, 12, 12]);
  });
});
