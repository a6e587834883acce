import { Forbidden } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { AlertIdentity } from '../../identity/alerts/alert-identity.ts';
import type { ProviderResources } from '../../identity/obo/provider-resources.ts';
import { type UserStore, userMissing } from '../../identity/user-store.ts';
import { Type } from '../../schema/type.ts';
import { callerToken } from '../authentication/caller-token.ts';
import { readRefresh } from '../refresh-argument.ts';
import { accountDetails, namedGroups, ownProfile } from './user-profile.ts';

export interface UserRouteDependencies {
  users: UserStore;
  accounts: UserAccounts;
  avatars: AvatarService;
  identity: Pick<AlertIdentity, 'tokenOf'>;
  resources: Pick<ProviderResources, 'groupsOf'>;
}

const ROLES = ['admin', 'user'] as const;
const READ: RouteAccess = { privileges: ['R'], roles: ROLES };
const CHANGE: RouteAccess = { privileges: ['E'], roles: ROLES, audit: true };
const ADMINISTER: RouteAccess = { privileges: ['E'], roles: ['admin'], audit: true, fullScope: true };

const tags = ['user'];
const UserReply = Type.Record(Type.String(), Type.Unknown());
const NewUserBody = Type.Object({
  name: Type.String({ description: 'Full name; empty: the user name.' }),
  new_pass: Type.Optional(Type.String({ description: 'Password. Without it nobody logs in by password.' })),
});
const UserChangeBody = Type.Object({ new_pass: Type.Optional(Type.String()), avatar: Type.Optional(Type.String()) });

interface ByName {
  Params: { username: string };
}

/** `/api/v1/user`: accounts, the own profile, pictures. */
export const userRoutes =
  ({ users, accounts, avatars, identity, resources }: UserRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/user/whoami',
      {
        access: { ...READ, audit: true, quota: false, allowInactive: true },
        schema: { tags, summary: 'Who the caller is', response: { 200: UserReply } },
      },
      async ({ actor: { username } }) => {
        const user = await users.recent(username);
        if (!user) throw userMissing(username);
        return ownProfile(user, await avatars.recentPicture(username));
      },
    );

    app.get<ByName>(
      '/api/v1/user/:username',
      {
        access: READ,
        schema: { tags, summary: 'Get an account, the own or as administrator any', response: { 200: UserReply } },
      },
      async ({ actor, params: { username }, query, headers }, reply) => {
        if (actor.username !== username && !actor.isAdmin) {
          throw new Forbidden('not_own_account', 'You are not allow to view other users then yourself.');
        }
        const stored = await users.getVersioned(username);
        if (!stored) throw userMissing(username);
        reply.header('etag', stored.version);
        if (headers['if-match'] === stored.version) {
          reply.code(304);
          return undefined;
        }
        const wantsAvatar = typeof query === 'object' && query !== null && 'load_avatar' in query;
        if (!wantsAvatar) return accountDetails(stored.document);
        return accountDetails(stored.document, { picture: (await avatars.get(username))?.picture });
      },
    );

    app.post<ByName>(
      '/api/v1/user/:username',
      { access: ADMINISTER, schema: { tags, summary: 'Create an account', body: NewUserBody } },
      async (request) => {
        const { params, body, query } = request;
        const { username } = params;
        readRefresh(query);
        const input = objectBody(body);
        await accounts.create(username, input, auditOrigin(request, 'alerts'));
        if (input.avatar !== undefined && input.avatar !== null) await avatars.set(username, input.avatar);
      },
    );

    app.put<ByName>(
      '/api/v1/user/:username',
      { access: { ...CHANGE, quota: false }, schema: { tags, summary: 'Change an account', body: UserChangeBody } },
      async (request) => {
        const { actor, params, body, query } = request;
        const { username } = params;
        readRefresh(query);
        const input = objectBody(body);
        await accounts.update(actor, username, input, auditOrigin(request, 'alerts'));
        if (input.avatar === 'DELETE') await avatars.delete(username);
        else if (input.avatar !== undefined && input.avatar !== null) await avatars.set(username, input.avatar);
      },
    );

    app.delete<ByName>(
      '/api/v1/user/:username',
      { access: ADMINISTER, schema: { tags, summary: 'Delete an account', response: NO_CONTENT } },
      async (request) => {
        const { params, query } = request;
        const { username } = params;
        readRefresh(query);
        await accounts.delete(username, auditOrigin(request, 'alerts'));
      },
    );

    app.get<ByName>(
      '/api/v1/user/avatar/:username',
      {
        access: { ...READ, audit: true },
        schema: { tags, summary: 'Get the picture of a user', response: { 200: Type.String(), ...NO_CONTENT } },
      },
      async ({ params: { username } }, reply) => {
        const avatar = await avatars.get(username);
        if (!avatar) {
          reply.code(204);
          return undefined;
        }
        reply.header('cache-control', 'private, max-age=3600').header('etag', avatar.digest);
        return avatar.picture;
      },
    );

    app.post<ByName>(
      '/api/v1/user/avatar/:username',
      {
        access: CHANGE,
        body: 'text',
        schema: { tags, summary: 'Set the own picture; an empty body removes it', body: Type.String() },
      },
      async ({ actor, params: { username }, body }) => {
        if (actor.username !== username) {
          throw new Forbidden('not_own_account', 'Cannot save the avatar of another user.');
        }
        if (body === '' || body === undefined) await avatars.delete(username);
        else await avatars.set(username, body);
      },
    );

    app.get(
      '/api/v1/user/groups',
      {
        access: { privileges: ['E'], roles: ROLES },
        schema: {
          tags,
          summary: 'Groups of the caller',
          response: { 200: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })) },
        },
      },
      async ({ actor, headers }) => {
        const token = await callerToken(actor, headers.authorization, identity);
        const told = token && (await resources.groupsOf(token, actor.username));
        return told ?? namedGroups(actor.groups);
      },
    );
  };
