import { Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { integer, text } from '../../input/input-kinds.ts';
import { ANYONE, Anything, operation } from '../operations/analysis-operation.ts';
import type { ServiceAdmin } from './service-admin.ts';
import type { ServiceStatistics } from './service-statistics.ts';

export interface ServiceRoutesDependencies {
  readonly admin: ServiceAdmin;
  readonly statistics: ServiceStatistics;
  readonly settings: Pick<Settings['analysis']['services'], 'categories' | 'stages'>;
}

/** Access of administrators of services. */
export const SERVICE_ADMINS: GuardedAccess = {
  privileges: 'by_roles',
  roles: ['administration'],
  quota: 'concurrent',
  readOnly: false,
};
const AUDITED: GuardedAccess = { ...SERVICE_ADMINS, audit: true };
const EVERYONE: GuardedAccess = { ...ANYONE, readOnly: false };

const ByName = pathParameters({ servicename: ['Name of the service.', 'Extract'] });
const ByStatisticsName = pathParameters({ service_name: ['Name of the service.', 'Extract'] });
const ByVersion = pathParameters({
  servicename: ['Name of the service.', 'Extract'],
  version: ['Version of the service.', '1.0.0'],
});
const VersionQuery = Type.Object({
  version: Type.Optional(text({ description: 'Another version than that which runs.' })),
});
const StatisticsQuery = Type.Object({
  version: Type.Optional(text({ description: 'Results of this version alone.' })),
  max_docs: Type.Optional(
    integer({ description: 'Newest results that count.', default: 500, minimum: 1, maximum: 10_000 }),
  ),
});
const Strings = Type.Array(Type.String());
const ManifestText = Type.String({
  description: 'Manifest of the service in YAML or JSON.',
  examples: ['name: Example\nversion: 1.0.0\ndocker_config:\n  image: none/example\n'],
});
const ServiceBody = Type.Record(Type.String(), Type.Unknown(), {
  examples: [{ name: 'Extract', version: '1.0.0', enabled: true }],
});

/** Serves `/api/v4/service/`: what administrators change of services, and what everyone sees of them. */
export const serviceRoutes =
  ({ admin, statistics, settings }: ServiceRoutesDependencies): RouteModule =>
  (app) => {
    app.put(
      '/api/v4/service/',
      {
        access: AUDITED,
        body: 'text',
        schema: operation('service_add_service', 'Add a service by its manifest', {
          body: ManifestText,
          reply: Anything,
        }),
      },
      ({ body }) => admin.add(body),
    );

    app.get(
      '/api/v4/service/all/',
      {
        access: EVERYONE,
        schema: operation('service_list_all_services', 'List all services in short', { reply: Type.Array(Anything) }),
      },
      ({ actor }) => admin.list(actor.classification),
    );

    app.get(
      '/api/v4/service/constants/',
      {
        access: EVERYONE,
        schema: operation('service_get_service_constants', 'Stages and categories of services', {
          reply: Type.Object({ categories: Strings, stages: Strings }),
        }),
      },
      () => ({ categories: settings.categories, stages: settings.stages }),
    );

    app.get(
      '/api/v4/service/versions/:servicename/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_get_potential_versions', 'Stored versions of a service', {
          params: ByName,
          reply: Strings,
        }),
      },
      ({ params: { servicename } }) => admin.versions(servicename),
    );

    app.get(
      '/api/v4/service/stats/:service_name/',
      {
        access: { ...SERVICE_ADMINS, readOnly: true },
        schema: operation('service_service_statistics', 'Statistics of the newest results of a service', {
          params: ByStatisticsName,
          querystring: StatisticsQuery,
          reply: Anything,
        }),
      },
      ({ actor, params: { service_name: name }, query: { version, max_docs: rows } }) =>
        statistics.of(name, version, rows ?? 500, actor.searchAccess),
    );

    app.get(
      '/api/v4/service/:servicename/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_get_service', 'Get the configuration of a service', {
          params: ByName,
          querystring: VersionQuery,
          reply: Anything,
        }),
      },
      ({ params: { servicename }, query: { version } }) => admin.get(servicename, version),
    );

    app.get(
      '/api/v4/service/:servicename/:version/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_get_service_defaults', 'Get what a version of a service brought', {
          params: ByVersion,
          reply: Anything,
        }),
      },
      ({ params: { servicename, version } }) => admin.defaults(servicename, version),
    );

    app.post(
      '/api/v4/service/:servicename/',
      {
        access: AUDITED,
        schema: operation('service_set_service', 'Store the changes of a service', {
          params: ByName,
          body: ServiceBody,
          reply: Anything,
        }),
      },
      ({ params: { servicename }, body }) => admin.set(servicename, body),
    );

    app.delete(
      '/api/v4/service/:servicename/',
      {
        access: AUDITED,
        schema: operation('service_remove_service', 'Delete a service with its heuristics and signatures', {
          params: ByName,
          reply: Anything,
        }),
      },
      ({ params: { servicename } }) => admin.delete(servicename),
    );
  };
