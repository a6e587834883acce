import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { type GuardedAccess, NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { handedCookie } from '../../identity/sessions/handed-cookies.ts';
import type { WebIdentity } from '../../identity/web-identity.ts';
import type { WebSessionLists } from '../../identity/web-session-lists.ts';
import { OwnSessionsReply, shownSession } from './session-schemas.ts';

export interface OwnSessionRouteDependencies {
  readonly lists: WebSessionLists;
  readonly identity: Pick<WebIdentity, 'sessionOf'>;
}

const tags = ['session'];
const OWN: GuardedAccess = { privileges: ['R', 'W', 'E'], roles: 'any' };
/** A read-only key must not end the sessions of its owner. */
const CHANGE: GuardedAccess = { privileges: ['W', 'E'], roles: 'any', audit: true };

/** Registers `/session/mine`: the sessions of the user in every browser. */
export const ownSessionRoutes =
  ({ lists, identity }: OwnSessionRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/session/mine',
      {
        access: OWN,
        schema: {
          tags,
          summary: "List the caller's sessions",
          description: 'The sessions of the caller in every browser, the one used last first.',
          response: { 200: OwnSessionsReply },
        },
      },
      async (request) => {
        const current = await currentId(identity, request);
        const sessions = await lists.list(request.actor.username);
        return {
          sessions: sessions.map((session) => ({
            ...shownSession(session),
            address: session.address,
            user_agent: session.userAgent,
            used_at: new Date(session.usedAt).toISOString(),
            is_current: session.id === current,
          })),
        };
      },
    );

    app.delete(
      '/session/mine/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: "End one of the caller's sessions",
          params: pathParameters({ id: ['Identifier of the session.', 'CAKAVVTfR5lZJrlV'] }),
          response: NO_CONTENT,
        },
      },
      async (request) => {
        await lists.end(request.actor.username, request.params.id, auditOrigin(request, 'web'));
      },
    );

    app.delete(
      '/session/mine',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'End all other sessions of the user',
          description: 'The session of the request stays.',
          response: { 200: Type.Object({ ended: Type.Integer({ description: 'Number of sessions.' }) }) },
        },
      },
      async (request) => {
        const current = await currentId(identity, request);
        return { ended: await lists.endAll(request.actor.username, auditOrigin(request, 'web'), current) };
      },
    );
  };

async function currentId(identity: Pick<WebIdentity, 'sessionOf'>, { raw }: FastifyRequest) {
  const cookie = handedCookie(raw);
  return cookie === undefined ? undefined : (await identity.sessionOf(cookie))?.session.id;
}
