import { Type } from 'typebox';
import { Forbidden } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { answerNotModified } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import type { ProviderResources } from '../../identity/obo/provider-resources.ts';
import { type UserStore, userMissing } from '../../identity/user-store.ts';
import { documentOf, field, presence } from '../../input/input-kinds.ts';
import { accountDetails, namedGroups, ownProfile } from './user-profile.ts';
import { OwnProfile } from './user-schemas.ts';

interface UserRouteDependencies {
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
const GroupsReply = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const password = Type.Optional(
  field(Type.String({ description: 'Password. Without one, password logins are not possible.' })),
);
/** One transparent pixel. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const avatar = Type.Optional(field(Type.String({ description: 'Picture as a data URI.' })));
const NewUserBody = documentOf(
  {
    name: field(Type.String({ description: 'Full name; empty: the user name.' })),
    new_pass: password,
    avatar,
  },
  { examples: [{ name: 'Grace Hopper', new_pass: 'a long enough passphrase' }] },
);
const UserChangeBody = documentOf({ new_pass: password, avatar }, { examples: [{ name: 'Michael' }] });
const ofOne = { tags, params: pathParameters({ username: ['Name of the user.', 'admin'] }) };
const changing = { ...ofOne, querystring: RefreshQuery };
/** The example is a user that the first of these routes creates and the last one deletes. */
const managing = { ...changing, params: pathParameters({ username: ['Name of the user.', 'grace'] }) };

/** `/api/v1/user`: accounts, the own profile, pictures. */
export const userRoutes =
  ({ users, accounts, avatars, identity, resources }: UserRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/user/whoami',
      {
        access: { ...READ, audit: true, quota: false, allowInactive: true },
        schema: { tags, summary: 'Who the caller is', response: { 200: OwnProfile } },
      },
      async ({ actor: { username } }) => {
        const user = await users.recent(username);
        if (!user) throw userMissing(username);
        return ownProfile(user, await avatars.recentPicture(username));
      },
    );

    app.get(
      '/api/v1/user/:username',
      {
        access: READ,
        schema: {
          ...ofOne,
          summary: 'Get an account, the own or as administrator any',
          querystring: Type.Object({ load_avatar: presence({ description: 'Present: with picture.' }) }),
          response: { 200: UserReply, 304: {} },
        },
      },
      async (request, reply) => {
        const { actor, params, query } = request;
        const { username } = params;
        if (actor.username !== username && !actor.isAdmin) {
          throw new Forbidden('not_own_account', 'You are not allow to view other users then yourself.');
        }
        const stored = await users.getVersioned(username);
        if (!stored) throw userMissing(username);
        if (answerNotModified(request, reply, stored.version)) return undefined;
        if (!query.load_avatar) return accountDetails(stored.document);
        return accountDetails(stored.document, { picture: (await avatars.get(username))?.picture });
      },
    );

    app.post(
      '/api/v1/user/:username',
      { access: ADMINISTER, schema: { ...managing, summary: 'Create an account', body: NewUserBody } },
      async (request) => {
        const { params, body } = request;
        const { username } = params;
        await accounts.create(username, body, auditOrigin(request, 'alerts'));
        if (body.avatar !== undefined && body.avatar !== null) await avatars.set(username, body.avatar);
      },
    );

    app.put(
      '/api/v1/user/:username',
      {
        access: { ...CHANGE, quota: false },
        schema: { ...changing, summary: 'Change an account', body: UserChangeBody },
      },
      async (request) => {
        const { actor, params, body } = request;
        const { username } = params;
        await accounts.update(actor, username, body, auditOrigin(request, 'alerts'));
        if (body.avatar === 'DELETE') await avatars.delete(username);
        else if (body.avatar !== undefined && body.avatar !== null) await avatars.set(username, body.avatar);
      },
    );

    app.delete(
      '/api/v1/user/:username',
      { access: ADMINISTER, schema: { ...managing, summary: 'Delete an account', response: NO_CONTENT } },
      (request) => accounts.delete(request.params.username, auditOrigin(request, 'alerts')),
    );

    app.get(
      '/api/v1/user/avatar/:username',
      {
        access: { ...READ, audit: true },
        schema: { ...ofOne, summary: 'Get the picture of a user', response: { 200: Type.String(), ...NO_CONTENT } },
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

    app.post(
      '/api/v1/user/avatar/:username',
      {
        access: CHANGE,
        body: 'text',
        schema: {
          ...ofOne,
          summary: 'Set the own picture; an empty body removes it',
          body: Type.String({ examples: [PICTURE] }),
        },
      },
      async ({ actor, params: { username }, body }) => {
        if (actor.username !== username) {
          throw new Forbidden('not_own_account', 'Cannot save the avatar of another user.');
        }
        if (body === '') await avatars.delete(username);
        else await avatars.set(username, body);
      },
    );

    app.get(
      '/api/v1/user/groups',
      {
        access: { privileges: ['E'], roles: ROLES },
        schema: { tags, summary: 'Groups of the caller', response: { 200: GroupsReply } },
      },
      async ({ actor, headers }) => {
        const token = actor.method === 'oauth' ? await identity.tokenOf(headers.authorization) : undefined;
        const told = token && (await resources.groupsOf(token, actor.username));
        return told ?? namedGroups(actor.groups);
      },
    );
  };
