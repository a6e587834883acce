import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Forbidden } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { credentialOf } from '../../http/request-state.ts';
import { type GuardedAccess, NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import { ANY_CALLER } from '../any-caller.ts';
import { anyBody } from '../offers/run-guard.ts';
import { SourceBody } from './registered-source.ts';
import type { SourceRegistry } from './source-registry.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };
const tags = ['registration'];
const description = 'Open to administrators, and to programs with a configured key.';
const params = pathParameters({ pluginId: ['Name of the source.', 'my-plugin'] });

interface RegistrationRouteDependencies {
  readonly registry: Pick<SourceRegistry, 'register' | 'remove'>;
  readonly auditLog: AuditLog;
}

/** Serves `/api/v1/registration/`: sources that come and go while the program runs. */
export const registrationRoutes =
  ({ registry, auditLog }: RegistrationRouteDependencies): RouteModule =>
  (app) => {
    const audit = (event: 'source_registered' | 'source_removed', source: string, request: FastifyRequest) => {
      const { username: user, keyName: key, method, impersonator } = request.actor;
      auditLog.write({ ...auditOrigin(request, 'enrichment'), event, source, user, key, method, impersonator });
    };

    app.post(
      '/api/v1/registration/register/',
      {
        access: ACCESS,
        onRequest: assertMayRegister,
        schema: {
          tags,
          summary: 'Register a source',
          description,
          body: anyBody(SourceBody),
          response: { 200: Type.String({ description: 'Its name.' }) },
          refusals: [409],
        },
      },
      async (request) => {
        const name = await registry.register(request.body);
        audit('source_registered', name, request);
        return name;
      },
    );

    app.delete(
      '/api/v1/registration/:pluginId',
      {
        access: ACCESS,
        onRequest: assertMayRegister,
        schema: {
          tags,
          summary: 'Remove a registered source',
          description: `${description} Configured sources stay, and an unknown name changes nothing.`,
          params,
          response: NO_CONTENT,
        },
      },
      async (request) => {
        const { pluginId: name } = request.params;
        if (await registry.remove(name)) audit('source_removed', name, request);
      },
    );
  };

/** Refuses others before their body is read. @throws Forbidden `registration_not_allowed` */
async function assertMayRegister(request: FastifyRequest): Promise<void> {
  const { isAdmin, privileges } = request.actor;
  if (credentialOf(request).kind === 'vouched' || (isAdmin && privileges.has('W'))) return;
  throw new Forbidden(
    'registration_not_allowed',
    'Only administrators, with a credential that may write, and programs with a configured key register sources.',
  );
}
