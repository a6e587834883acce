import type { Log } from './request-log.ts';
import type { RouteModule } from './route-access.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Something the service cannot work without. */
export interface HealthCheck {
  readonly name: string;
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
}

export interface OperationParts {
  readonly checks: readonly HealthCheck[];
  readonly metrics: ServiceMetrics;
  readonly log: Log;
}

interface Health {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

/** Milliseconds after which a check counts as failed. */
const CHECK_TIMEOUT = 5_000;
const TAGS = ['operation'];

/**
 * Routes for whoever runs the service: `/healthz/` says in JSON what is wrong, `/api/healthz/live` and `/ready` answer the words that
 * orchestrators of the public systems look for, `/metrics` is Prometheus text.
 */
export function operationRoutes({ checks, metrics, log }: OperationParts): RouteModule {
  let wasReady = true;
  /** A change between ready and not ready is one line in the log, however often somebody asks. */
  const checkReadiness = async (): Promise<Health> => {
    const health = await runChecks(checks);
    if (!health.ok && wasReady) log.error({ checks: health.checks }, 'not ready');
    if (health.ok && !wasReady) log.info({}, 'ready again');
    wasReady = health.ok;
    return health;
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
        const health = await checkReadiness();
        reply.code(health.ok ? 200 : 503).header('cache-control', 'no-store');
        return { checks: health.checks, status: health.ok ? 'ok' : 'fail' };
      },
    );
    app.get(
      '/api/healthz/live',
      { access: 'public', envelope: false, schema: { tags: TAGS, summary: 'Liveness: the text OK' } },
      (_request, reply) => reply.type('text/html; charset=utf-8').send('OK'),
    );
    app.get(
      '/api/healthz/ready',
      {
        access: 'public',
        envelope: false,
        schema: { tags: TAGS, summary: 'Readiness: the text OK, or 503 with FAIL' },
      },
      async (_request, reply) => {
        const { ok } = await checkReadiness();
        return reply
          .code(ok ? 200 : 503)
          .type('text/html; charset=utf-8')
          .send(ok ? 'OK' : 'FAIL');
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
  const results = await Promise.all(checks.map(async (check) => [check.name, await runCheck(check)] as const));
  return { ok: results.every(([, result]) => result.ok), checks: Object.fromEntries(results) };
}

async function runCheck(check: HealthCheck): Promise<{ ok: boolean; detail: string }> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<{ ok: boolean; detail: string }>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${CHECK_TIMEOUT} ms` }), CHECK_TIMEOUT);
  });
  try {
    return await Promise.race([check.health(), timeout]);
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
