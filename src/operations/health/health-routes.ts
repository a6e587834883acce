import { Type } from 'typebox';
import { type HealthCheck, overallStatus, runHealthChecks } from '../../http/health-checks.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { READ } from '../operations-access.ts';

export interface HealthRouteDependencies {
  readonly checks: readonly HealthCheck[];
  readonly version: string;
  /** Parts of the program that this process runs. */
  readonly components: readonly string[];
}

const Check = Type.Object(
  {
    name: Type.String(),
    ok: Type.Boolean(),
    required: Type.Boolean({ description: 'False: the program works in part without it.' }),
    detail: Type.String({ description: 'State of the part, or what is wrong with it.' }),
    milliseconds: Type.Number({ description: 'Duration of the check, which fails after 5 seconds.' }),
  },
  { title: 'HealthCheck' },
);
const Health = Type.Object({
  status: Type.Unsafe<ReturnType<typeof overallStatus>>({ type: 'string', enum: ['ok', 'degraded', 'fail'] }),
  checks: Type.Array(Check),
  version: Type.String(),
  node: Type.String({ description: 'Version of Node.js.' }),
  components: Type.Array(Type.String(), { description: 'Parts of the program that this process runs.' }),
  started_at: Type.String({ description: 'Start of this process, ISO 8601.' }),
  memory_bytes: Type.Integer({ description: 'Memory that this process holds.' }),
});

/** Serves the state of everything that the program depends on. */
export const healthRoutes =
  ({ checks, version, components }: HealthRouteDependencies): RouteModule =>
  (app) => {
    const started_at = new Date(Date.now() - process.uptime() * 1000).toISOString();
    app.get(
      '/v1/health',
      { access: READ, schema: { tags: ['health'], summary: 'Check every part', response: { 200: Health } } },
      async () => {
        const results = await runHealthChecks(checks);
        return {
          status: overallStatus(results),
          checks: results,
          version,
          node: process.versions.node,
          components,
          started_at,
          memory_bytes: process.memoryUsage.rss(),
        };
      },
    );
  };
