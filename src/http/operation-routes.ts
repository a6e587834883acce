import { type HealthCheck, overallStatus, runHealthChecks } from './health-checks.ts';
import type { Log } from './request-log.ts';
import type { RouteModule } from './route-access.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Returns the checks of every service, which works in part without coordination. */
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
  /** Folder of the routes `live` and `ready`, which differs between the public systems. */
  readonly probes: '/api/healthz' | '/healthz';
  readonly checks: readonly HealthCheck[];
  readonly metrics: ServiceMetrics;
  readonly log: Log;
}

interface Health {
  readonly status: ReturnType<typeof overallStatus>;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

/**
 * Serves operators: `/healthz/` describes problems in JSON, `live` and `ready` answer the words that
 * orchestrators of the public systems expect, `/metrics` is Prometheus text.
 */
export function operationRoutes({ probes, checks, metrics, log }: OperationDependencies): RouteModule {
  let last: Health['status'] = 'ok';
  /** Checks readiness, and logs each change once. */
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
    const described = open('Whether the service can work, and what is wrong when it cannot');
    app.get('/healthz/', described, async (_request, reply) => {
      const { ready, checks: results, status } = await checkReadiness();
      reply.code(ready ? 200 : 503);
      return { checks: results, status };
    });
    app.get(`${probes}/live`, open('Liveness: the text OK'), (_request, reply) =>
      reply.type('text/html; charset=utf-8').send('OK'),
    );
    app.get(`${probes}/ready`, open('Readiness: the text OK, or 503 with FAIL'), async (_request, reply) => {
      const { ready } = await checkReadiness();
      reply.code(ready ? 200 : 503).type('text/html; charset=utf-8');
      return reply.send(ready ? 'OK' : 'FAIL');
    });
    app.get('/metrics', open('Metrics in the text format of Prometheus'), async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.text()),
    );
  };
}

function open(summary: string) {
  return { access: 'public', envelope: false, schema: { tags: ['operation'], summary } } as const;
}

async function runChecks(checks: readonly HealthCheck[]): Promise<Health> {
  const results = await runHealthChecks(checks);
  return {
    status: overallStatus(results),
    checks: Object.fromEntries(results.map(({ name, ok, detail }) => [name, { ok, detail }])),
  };
}
