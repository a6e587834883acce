import type { Authenticator, RequestQuota } from '../http/guard.ts';
import { type HealthCheck, operationRoutes } from '../http/operation-routes.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { createServiceServer, type ServiceServer } from '../http/service-server.ts';
import { alertEnvelope } from './alert-envelope.ts';
import { rootRoutes } from './root/root-routes.ts';

export interface AlertsServerParts {
  /** Version of the program, `api_server_version` of every answer. */
  readonly version: string;
  readonly log: Log;
  readonly authenticator: Authenticator;
  readonly quota: RequestQuota | undefined;
  readonly audit: boolean;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
  readonly checks: readonly HealthCheck[];
}

/** The alert service: its server with the routes of every resource, not yet listening. */
export function createAlertsServer(parts: AlertsServerParts): ServiceServer {
  const server = createServiceServer({ ...parts, envelope: alertEnvelope(parts.version) });
  const { app, routes, metrics } = server;
  const modules: readonly RouteModule[] = [
    operationRoutes({ checks: parts.checks, metrics, log: parts.log }),
    rootRoutes({ routes, audit: parts.audit }),
  ];
  for (const register of modules) register(app);
  return server;
}
