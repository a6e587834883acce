import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { heuristicRoutes } from '../heuristics/heuristic-routes.ts';
import { HeuristicStatistics } from '../heuristics/heuristic-statistics.ts';
import { HeuristicRegistration } from './heuristic-registration.ts';
import type { ServiceParts } from './open-services.ts';
import { ServiceAdmin } from './service-admin.ts';
import { ServiceBackup } from './service-backup.ts';
import { serviceRoutes } from './service-routes.ts';
import { ServiceStatistics } from './service-statistics.ts';
import { serviceUpdateRoutes } from './service-update-routes.ts';
import { ServiceUpdates } from './service-updates.ts';

export interface ServiceResourceDependencies {
  readonly parts: ServiceParts;
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'tables'>;
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings, 'analysis'>;
}

/** Returns the routes of services and of their heuristics. */
export function routesOfServices(dependencies: ServiceResourceDependencies): readonly RouteModule[] {
  const { parts, datastore, coordination, classification } = dependencies;
  const { registry, services, deltas, heuristics } = parts;
  const { services: settings, ui } = dependencies.settings.analysis;
  const results = datastore.collection(resultDocument);
  const registration = new HeuristicRegistration({ heuristics, results, classification });
  const signatures = datastore.collection(signatureDocument);
  const admin = new ServiceAdmin({ registry, services, deltas, registration, signatures, classification });
  const errors = datastore.collection(errorDocument);
  const statistics = new ServiceStatistics({ results, errors, heuristics: registration });
  const backup = new ServiceBackup({ registry, services, deltas, classification, server: ui.fqdn });
  const updates = new ServiceUpdates({ registry, tables: coordination.tables });
  return [
    serviceUpdateRoutes({ updates, backup, server: ui.fqdn }),
    serviceRoutes({ admin, statistics, settings }),
    heuristicRoutes({ statistics: new HeuristicStatistics({ heuristics, results, classification }) }),
  ];
}
