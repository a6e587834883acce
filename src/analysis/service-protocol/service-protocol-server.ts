import type { Config } from '../../config/config.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { documentationRoutes } from '../../http/documentation/documentation-routes.ts';
import type { HealthCheck } from '../../http/health-checks.ts';
import { operationRoutes } from '../../http/operation-routes.ts';
import type { Log } from '../../http/request-log.ts';
import { commonSettings, createServiceServer, type ServiceServer } from '../../http/service-server.ts';
import { ANALYSIS_STATUSES, analysisEnvelope, analysisEnvelopeSchema } from '../operations/analysis-envelope.ts';
import { listLookupRoutes } from './list-lookup-routes.ts';
import { ListLookups, type ListLookupsDependencies } from './list-lookups.ts';
import { serviceProtocolGuard } from './service-protocol-guard.ts';
import { WorkerFiles, type WorkerFilesDependencies } from './worker-files.ts';
import { workerRoutes } from './worker-routes.ts';
import { WorkerTasks, type WorkerTasksDependencies } from './worker-tasks.ts';

export interface ServiceProtocolDependencies
  extends Pick<WorkerTasksDependencies, 'dispatcher' | 'intake'>,
    Omit<WorkerFilesDependencies, 'limit'>,
    Pick<ListLookupsDependencies, 'lookup' | 'similar'> {
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'tokens'>;
  readonly checks: readonly HealthCheck[];
  readonly outage?: () => Error | undefined;
  readonly registry: WorkerTasksDependencies['registry'] & Parameters<typeof workerRoutes>[0]['registry'];
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
/** Bytes of an uploaded file, at most, unless submissions may be larger. */
const MAX_UPLOAD = 1024 ** 3;
/** Bytes of a result, at most: JSON of the largest document that is stored. */
const MAX_RESULT = 32 * 1024 * 1024;

const DOCUMENTATION = {
  title: 'Triad protocol for services',
  description:
    'How services that analyse files register, get their tasks and deliver results. Every call but those of the probes has the headers `Container-ID`, `Service-Name`, `Service-Version` and `Service-Tool-Version` (which may be empty). Both forms of a path answer, with and without its final slash.',
  paths: { page: '/help/api', document: '/help/api/openapi.json', script: '/help/api/reference.js' },
  callers: 'services with the key',
  security: {
    schemes: {
      service: {
        type: 'apiKey',
        in: 'header',
        name: 'X-APIKEY',
        description: 'Key that all services share: setting `services.api_key`.',
      },
    },
    alternatives: [['service']],
  },
};

/** Creates the server by which workers register and get their tasks. It does not listen yet. */
export function createServiceProtocolServer(dependencies: ServiceProtocolDependencies): ServiceServer {
  const { settings, log, datastore, coordination, registry, files, storage, classification } = dependencies;
  const { dispatcher, intake, lookup, similar } = dependencies;
  const isLoopback = LOOPBACK.has(settings.host);
  const server = createServiceServer({
    log,
    guard: serviceProtocolGuard({ key: settings.services.api_key, isLoopback }),
    quota: undefined,
    audit: false,
    envelope: analysisEnvelope(dependencies.version),
    statuses: ANALYSIS_STATUSES,
    ...commonSettings(settings.http),
    bodyLimit: Math.max(settings.http.max_body_size, MAX_RESULT),
    outage: dependencies.outage,
    finalSlash: 'optional',
  });
  const { metrics, routes } = server;
  const handled = metrics.counter('analyzer_tasks_total', 'Tasks of analyzers over the protocol, by outcome.', [
    'service',
    'outcome',
  ]);
  const tasks = new WorkerTasks({
    registry,
    dispatcher,
    intake,
    tokens: coordination.tokens,
    count: (labels) => handled.inc(labels),
    log,
  });
  const limit = Math.max(settings.analysis.submission.max_file_size, MAX_UPLOAD);
  const mode = settings.analysis.services.registration ?? (isLoopback ? 'write' : 'compare');
  const lists = new ListLookups({
    safelist: datastore.collection(safelistDocument),
    badlist: datastore.collection(badlistDocument),
    lookup,
    similar,
  });
  const modules = [
    operationRoutes({ probes: '/healthz', checks: dependencies.checks, metrics, log }),
    workerRoutes({ registry, mode, log, tasks, files: new WorkerFiles({ files, storage, classification, limit }) }),
    listLookupRoutes({ lists }),
    documentationRoutes({ ...DOCUMENTATION, version: dependencies.version, envelope: analysisEnvelopeSchema, routes }),
  ];
  for (const register of modules) register(server.app);
  return server;
}
