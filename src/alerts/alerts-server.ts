import { documentationRoutes } from '../http/documentation-routes.ts';
import { type HealthCheck, operationRoutes } from '../http/operation-routes.ts';
import type { RouteModule } from '../http/route-access.ts';
import { createServiceServer, type ServiceServer, type ServiceServerParts } from '../http/service-server.ts';
import { alertEnvelope, alertEnvelopeSchema } from './alert-envelope.ts';
import { rootRoutes } from './root/root-routes.ts';

export interface AlertsServerParts extends Omit<ServiceServerParts, 'envelope'> {
  /** Version of the program, `api_server_version` of every answer. */
  readonly version: string;
  /** What the service cannot work without. */
  readonly checks: readonly HealthCheck[];
}

const DOCUMENTATION = {
  title: 'Triad alerts',
  description:
    'Alerts, who they are about and what was done about them. Every path answers with and without its final slash.',
};

/** The alert service: its server with the routes of every resource, not yet listening. */
export function createAlertsServer(parts: AlertsServerParts): ServiceServer {
  const server = createServiceServer({ ...parts, envelope: alertEnvelope(parts.version) });
  const { app, routes, metrics } = server;
  const modules: readonly RouteModule[] = [
    operationRoutes({ checks: parts.checks, metrics, log: parts.log }),
    rootRoutes({ routes, audit: parts.audit }),
    documentationRoutes({ ...DOCUMENTATION, version: parts.version, envelope: alertEnvelopeSchema, routes }),
  ];
  for (const register of modules) register(app);
  return server;
}
