import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { presence } from '../../input/input-kinds.ts';
import { Anything, operation, Success } from '../operations/analysis-operation.ts';
import type { ServiceBackup } from './service-backup.ts';
import { SERVICE_ADMINS } from './service-routes.ts';
import type { ServiceUpdates } from './service-updates.ts';

export interface ServiceUpdateRoutesDependencies {
  readonly updates: ServiceUpdates;
  readonly backup: ServiceBackup;
  /** Name of the installation, which the name of a backup begins with. */
  readonly server: string;
}

const Names = Type.Array(Type.String());
const BackupText = Type.String({
  description: 'A backup in YAML.',
  examples: ['type: backup\nserver: localhost\ndata: {}\n'],
});
const Unread = Type.Unknown({ examples: [[]] });
const UpdateBody = Type.Unknown({ examples: [{ name: 'Extract', update_data: { latest_tag: '4.7.4.stable25' } }] });
const BackupQuery = Type.Object({ full: presence({ description: 'With all versions, not only those that run.' }) });

/** Serves backups, installation and updates of services (contract/analysis.md section 6). */
export const serviceUpdateRoutes =
  ({ updates, backup, server }: ServiceUpdateRoutesDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/service/backup/',
      {
        access: SERVICE_ADMINS,
        envelope: false,
        schema: operation('service_backup', 'Download the configuration of all services', { querystring: BackupQuery }),
      },
      async ({ query: { full } }, reply) => {
        const text = await backup.write({ full });
        const name = encodeURIComponent(`${server}_service_backup.yml`);
        reply.header('content-disposition', `attachment; filename=file.bin; filename*=UTF-8''${name}`);
        return reply.type('application/octet-stream').send(text);
      },
    );

    for (const [method, operationId] of [
      ['put', 'service_restore'],
      ['post', 'service_restore_post'],
    ] as const) {
      app[method](
        '/api/v4/service/restore/',
        {
          access: SERVICE_ADMINS,
          body: 'text',
          schema: operation(operationId, 'Load a backup of the configuration of services', {
            body: BackupText,
            reply: Success,
          }),
        },
        ({ body }) => backup.restore(body),
      );
    }

    app.get(
      '/api/v4/service/updates/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_check_for_service_updates', 'Updates of containers; none are looked for', {
          reply: Anything,
        }),
      },
      () => ({}),
    );

    app.put(
      '/api/v4/service/update/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_update_service', 'Run another stored version of a service', {
          body: UpdateBody,
          reply: Anything,
        }),
      },
      ({ body }) => updates.update(body),
    );

    app.get(
      '/api/v4/service/update_all/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_update_all_services', 'Update all services that have an update', {
          reply: Anything,
        }),
      },
      () => ({ updated: [], updating: [] }),
    );

    app.put(
      '/api/v4/service/install/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_install_services', 'Note services to install', { body: Unread, reply: Names }),
      },
      ({ body }) => updates.install(body),
    );

    app.get(
      '/api/v4/service/installing/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_get_services_installing', 'Services that are to be installed', { reply: Names }),
      },
      () => updates.installing(),
    );

    app.post(
      '/api/v4/service/installing/',
      {
        access: SERVICE_ADMINS,
        schema: operation('service_post_services_installing', 'Whether services are installed', {
          body: Unread,
          reply: Anything,
        }),
      },
      ({ body }) => updates.states(body),
    );
  };
