import { messageOf } from '../errors/errors.ts';
import type { Log } from './request-log.ts';
import type { RouteModule } from './route-access.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Something the service stands on. */
export interface HealthCheck {
  readonly name: string;
  /** Whether the service goes on in part without it: then its loss is told, and the service counts as ready. Default false. */
  readonly degrades?: boolean;
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
}

/** What every service stands on: without documents it cannot work, without coordination it goes on in part. */
export function portChecks(ports: {
  readonly datastore: Pick<HealthCheck, 'health'>;
  readonly coordination: Pick<HealthCheck, 'health'>;
}): readonly HealthCheck[] {
  return [
    { name: 'datastore', health: () => ports.datastore.health() },
    { name: 'coordination', degrades: true, health: () => ports.coordination.health() },
  ];
}

export interface OperationDependencies {
  /** Folder of the routes `live` and `ready`, which is another in each public system. */
  readonly probes: '/api/healthz' | '/healthz';
  readonly checks: readonly HealthCheck[];
  readonly metrics: ServiceMetrics;
  readonly log: Log;
}

interface Health {
  readonly status: 'ok' | 'degraded' | 'fail';
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

/** Milliseconds after which a check counts as failed. */
const CHECK_TIMEOUT = 5_000;
const TAGS = ['operation'];

/**
 * Routes for whoever runs the service: `/healthz/` says in JSON what is wrong, `live` and `ready` answer the words that
 * orchestrators of the public systems look for, `/metrics` is Prometheus text.
 */
export function operationRoutes({ probes, checks, metrics, log }: OperationDependencies): RouteModule {
  let last: Health['status'] = 'ok';
  /** A change is one line in the log, however often somebody asks. */
  const checkReadiness = async (): Promise<Health & { readonly ready: boolean }> => {
    const health = await runChecks(checks);
    const { status } = health;
    if (status !== last) {
      if (status === 'fail') log.error({ checks: health.checks }, 'not ready');
      else if (last === 'fail') log.info({}, 'ready again');
      if (status === 'degraded') log.error({ checks: health.checks }, 'ready in part');
      else if (last === 'degraded' && status === 'ok') log.info({}, 'wholly ready again');
      last = status;
    }
    return { ...health, ready: status !== 'fail' };
  };

  return (app) => {
    app.get(
      '/healthz/',
      {
        access: 'public',
        envelope: false,
        schema: { tags: TAGS, summary: 'Whether the service can work, and what is wrong when it cannot' },
      },
      async (_request, reply) => {
        const { ready, checks: results, status } = await checkReadiness();
        reply.code(ready ? 200 : 503);
        return { checks: results, status };
      },
    );
    app.get(
      `${probes}/live`,
      { access: 'public', envelope: false, schema: { tags: TAGS, summary: 'Liveness: the text OK' } },
      (_request, reply) => reply.type('text/html; charset=utf-8').send('OK'),
    );
    app.get(
      `${probes}/ready`,
      {
        access: 'public',
        envelope: false,
        schema: { tags: TAGS, summary: 'Readiness: the text OK, or 503 with FAIL' },
      },
      async (_request, reply) => {
        const { ready } = await checkReadiness();
        return reply
          .code(ready ? 200 : 503)
          .type('text/html; charset=utf-8')
          .send(ready ? 'OK' : 'FAIL');
      },
    );
    app.get(
      '/metrics',
      {
        access: 'public',
        envelope: false,
        schema: { tags: TAGS, summary: 'Metrics in the text format of Prometheus' },
      },
      async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.text()),
    );
  };
}

async function runChecks(checks: readonly HealthCheck[]): Promise<Health> {
  const results = await Promise.all(checks.map(async (check) => ({ check, result: await runCheck(check) })));
  const broken = results.filter(({ result }) => !result.ok);
  const degraded = broken.every(({ check }) => check.degrades === true);
  return {
    status: broken.length === 0 ? 'ok' : degraded ? 'degraded' : 'fail',
    checks: Object.fromEntries(results.map(({ check, result }) => [check.name, result])),
  };
}

async function runCheck(check: HealthCheck): Promise<{ ok: boolean; detail: string }> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<{ ok: boolean; detail: string }>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${CHECK_TIMEOUT} ms` }), CHECK_TIMEOUT);
  });
  try {
    return await Promise.race([check.health(), timeout]);
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
