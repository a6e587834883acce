import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { ReplayImport, type ReplayImportDependencies } from './replay-import.ts';
import { replayRoutes } from './replay-routes.ts';
import { ReplayService } from './replay-service.ts';

export interface ReplayResourceDependencies extends ReplayImportDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'queues' | 'tables'>;
  readonly settings: Pick<Settings, 'analysis'>;
}

/** Returns the routes of replay; none where `ui.allow_replay` is off. */
export function routesOfReplay(dependencies: ReplayResourceDependencies): readonly RouteModule[] {
  const { datastore, coordination, classification, settings } = dependencies;
  if (!settings.analysis.ui.allow_replay) return [];
  const submissions = datastore.collection(submissionDocument);
  const alerts = datastore.collection(alertDocument);
  return [
    replayRoutes(
      new ReplayService({
        submissions: classifiedCollection(submissions, submissionDocument, classification),
        alerts: classifiedCollection(alerts, alertDocument, classification),
        ...{ coordination, classification },
      }),
      new ReplayImport(dependencies),
    ),
  ];
}
