import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { AlertApiKeys } from '../../identity/keys/alert-api-keys.ts';
import { apiKeysOf, ownKeyDetails } from '../../identity/keys/api-key-records.ts';
import {
  accountPageRequired,
  type SecondFactorAccounts,
} from '../../identity/second-factors/second-factor-accounts.ts';
import type { ListedSession } from '../../identity/sessions/listed-session.ts';
import type { UserSessions } from '../../identity/sessions/user-sessions.ts';
import { type RecentUser, type UserStore, userMissing } from '../../identity/user-store.ts';
import { nullableText } from '../../input/nullable.ts';
import { CHANGE_RIGHTS, READ } from '../operations-access.ts';

export interface CredentialRouteDependencies {
  readonly users: Pick<UserStore, 'get'>;
  readonly sessions: Pick<UserSessions, 'list' | 'end' | 'endAll'>;
  readonly apiKeys: Pick<AlertApiKeys, 'delete'>;
  readonly secondFactors: Pick<SecondFactorAccounts, 'removeAll'>;
}

const tags = ['credentials'];
const Session = Type.Object(
  {
    service: Type.String({ description: 'The service that opened it; sessions of `web` are valid at all of them.' }),
    id: Type.String(),
    opened_by: Type.String({ description: 'Kind of the credential that opened it.' }),
    key_name: nullableText('The API key that opened it.'),
    address: nullableText('Address of the sign-in.'),
    user_agent: nullableText('Its beginning.'),
    opened_at: nullableText('ISO 8601.'),
    used_at: nullableText('Last use, to the minute.'),
    expires_at: Type.String(),
  },
  { title: 'UserSession' },
);
const Key = Type.Object(
  {
    name: Type.String(),
    privileges: Type.Array(Type.String(), { description: 'None: `roles` were chosen one by one.' }),
    roles: Type.Array(Type.String(), { description: 'Roles at the analysis service that were chosen one by one.' }),
    agents: Type.Array(Type.String(), { description: 'Users who may impersonate the owner with it.' }),
    created_at: nullableText('Null: an earlier version made it.'),
    used_at: nullableText('Day of the last use, at any service.'),
    expires_at: nullableText('Null: never.'),
  },
  { title: 'UserApiKey' },
);
const Credentials = Type.Object({ sessions: Type.Array(Session), api_keys: Type.Array(Key) });
const USER = ['Name of the user.', 'user'] as const;
const ofUser = pathParameters({ username: USER });

/** Serves the sessions, API keys and second factors of a user, which count at all services. */
export const credentialRoutes =
  ({ users, sessions, apiKeys, secondFactors }: CredentialRouteDependencies): RouteModule =>
  (app) => {
    const assertUser = async (username: string): Promise<RecentUser> => {
      const user = await users.get(username);
      if (user === undefined) throw userMissing(username);
      return user;
    };

    app.get(
      '/v1/users/:username/credentials',
      {
        access: READ,
        schema: {
          tags,
          summary: 'List the sessions and API keys of a user',
          params: ofUser,
          response: { 200: Credentials },
        },
      },
      async ({ params: { username } }) => {
        const user = await assertUser(username);
        return { sessions: (await sessions.list(username)).map(shownSession), api_keys: shownKeys(user) };
      },
    );

    app.delete(
      '/v1/users/:username/sessions',
      {
        access: CHANGE_RIGHTS,
        schema: { tags, summary: 'End all sessions of a user', params: ofUser, response: NO_CONTENT },
      },
      async (request) => {
        const { username } = request.params;
        await assertUser(username);
        await sessions.endAll(username, auditOrigin(request, 'operations'));
      },
    );

    app.delete(
      '/v1/users/:username/sessions/:service/:id',
      {
        access: CHANGE_RIGHTS,
        schema: {
          tags,
          summary: 'End a session of a user',
          params: pathParameters({
            username: USER,
            service: ['`service` of the session.', 'alerts'],
            id: ['`id` of the session.', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
          }),
          response: NO_CONTENT,
        },
      },
      async (request) => {
        const { username, service, id } = request.params;
        if (await sessions.end(username, service, id, auditOrigin(request, 'operations'))) return;
        throw new NotFound('session_missing', `${username} has no such session. It may have ended already.`);
      },
    );

    app.delete(
      '/v1/users/:username/api-keys/:name',
      {
        access: CHANGE_RIGHTS,
        schema: {
          tags,
          summary: 'Revoke an API key of a user',
          params: pathParameters({ username: USER, name: ['Name of the key.', 'devkey'] }),
          response: NO_CONTENT,
        },
      },
      async (request) => {
        const { username, name } = request.params;
        await apiKeys.delete(username, name, auditOrigin(request, 'operations'));
      },
    );

    app.delete(
      '/v1/users/:username/second-factors',
      {
        access: CHANGE_RIGHTS,
        schema: {
          tags,
          summary: 'Remove all second factors of a user',
          description:
            'For users who lost them: they then sign in without. Includes recovery codes. Callers change their own at `/session/second-factors`.',
          params: ofUser,
          response: NO_CONTENT,
        },
      },
      async (request) => {
        const { username } = request.params;
        // There they prove first that it is they who sit at the session.
        if (username === request.actor.username) throw accountPageRequired();
        await assertUser(username);
        await secondFactors.removeAll(username, auditOrigin(request, 'operations'));
      },
    );
  };

function shownSession({ service, id, openedBy, ...session }: ListedSession) {
  const { keyName, address, userAgent, openedAt, usedAt, expiresAt } = session;
  return {
    ...{ service, id, opened_by: openedBy, key_name: keyName ?? null },
    ...{ address: address ?? null, user_agent: userAgent ?? null },
    ...{ opened_at: timeOf(openedAt), used_at: timeOf(usedAt), expires_at: new Date(expiresAt).toISOString() },
  };
}

function shownKeys(user: RecentUser) {
  return apiKeysOf(user).map(({ name, privileges, agents, expires }) => {
    const { roles, creation_date, last_used } = ownKeyDetails(user, name) ?? {};
    return {
      ...{ name, privileges, agents, roles: roles ?? [], expires_at: expires?.toISOString() ?? null },
      ...{ created_at: creation_date ?? null, used_at: last_used ?? null },
    };
  });
}

function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
