import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import type { HealthCheck } from './health-checks.ts';
import { operationRoutes } from './operation-routes.ts';
import { ServiceMetrics } from './service-metrics.ts';

describe('health', () => {
  it('is ready while everything is well', async () => {
    const { app } = serverWith({ name: 'datastore', health: async () => ({ ok: true, detail: '' }) });
    const health = await app.inject('/healthz/');
    assert.equal(health.statusCode, 200);
    assert.deepEqual(health.json(), { status: 'ok', checks: { datastore: { ok: true, detail: '' } } });
    for (const path of ['/api/healthz/live', '/api/healthz/ready']) {
      const answer = await app.inject(path);
      assert.equal(answer.body, 'OK');
      assert.match(String(answer.headers['content-type']), /^text\/html/);
    }
  });

  it('says what is wrong, part by part, and logs it once', async () => {
    let broken = true;
    const { app, logged } = serverWith(
      { name: 'datastore', health: async () => ({ ok: !broken, detail: 'The disk is full.' }) },
      {
        name: 'coordination',
        health: async () => {
          if (broken) throw new Error('gone');
          return { ok: true, detail: '' };
        },
      },
    );
    const health = await app.inject('/healthz/');
    assert.equal(health.statusCode, 503);
    assert.deepEqual(health.json(), {
      status: 'fail',
      checks: { datastore: { ok: false, detail: 'The disk is full.' }, coordination: { ok: false, detail: 'gone' } },
    });
    const ready = await app.inject('/api/healthz/ready');
    assert.equal(ready.statusCode, 503);
    assert.equal(ready.body, 'FAIL');
    assert.equal((await app.inject('/api/healthz/live')).body, 'OK');
    broken = false;
    await app.inject('/healthz/');
    assert.deepEqual(logged, ['not ready', 'ready again']);
  });

  it('stays ready without what it continues without in part, and says so', async () => {
    let broken = true;
    const { app, logged } = serverWith(
      { name: 'datastore', health: async () => ({ ok: true, detail: '' }) },
      { name: 'coordination', degrades: true, health: async () => ({ ok: !broken, detail: broken ? 'gone' : '' }) },
    );
    const health = await app.inject('/healthz/');
    assert.equal(health.statusCode, 200);
    assert.deepEqual(health.json(), {
      status: 'degraded',
      checks: { datastore: { ok: true, detail: '' }, coordination: { ok: false, detail: 'gone' } },
    });
    assert.equal((await app.inject('/api/healthz/ready')).body, 'OK');
    broken = false;
    assert.equal((await app.inject('/healthz/')).json<{ status: string }>().status, 'ok');
    assert.deepEqual(logged, ['ready in part', 'wholly ready again']);
  });
});

it('metrics are Prometheus text', async () => {
  const { app } = serverWith();
  const answer = await app.inject('/metrics');
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(answer.body, /^triad_auth_success_total 0$/m);
  assert.match(answer.body, /^process_resident_memory_bytes \d/m);
});

function serverWith(...checks: HealthCheck[]) {
  const logged: string[] = [];
  const note = (_entry: object, message: string) => {
    logged.push(message);
  };
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const log = { info: note, warn: note, error: note };
  operationRoutes({ probes: '/api/healthz', checks, metrics: new ServiceMetrics(), log })(app);
  return { app, logged };
}
