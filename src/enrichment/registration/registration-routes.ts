import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Forbidden } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { credentialOf } from '../../http/request-state.ts';
import { type GuardedAccess, NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { ANY_CALLER } from '../any-caller.ts';
import { anyBody } from '../offers/run-guard.ts';
import { SourceBody } from './registered-source.ts';
import type { SourceRegistry } from './source-registry.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };
const tags = ['registration'];
const description = 'Open to administrators, and to programs with a configured key.';
const params = pathParameters({ pluginId: ['Name of the source.', 'my-plugin'] });

/** Serves `/api/v1/registration/`: sources that come and go while the program runs. */
export const registrationRoutes =
  ({ registry }: { registry: Pick<SourceRegistry, 'register' | 'remove'> }): RouteModule =>
  (app) => {
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
      async ({ body }) => registry.register(body),
    );

    app.delete(
      '/api/v1/registration/:pluginId',
      {
        access: ACCESS,
        onRequest: assertMayRegister,
        schema: {
          tags,
          summary: 'Remove a registered source',
          description: `${description} Configured sources, and names of none, are left alone.`,
          params,
          response: NO_CONTENT,
        },
      },
      async ({ params }) => registry.remove(params.pluginId),
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
