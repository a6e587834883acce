import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';

const READ: GuardedAccess = { privileges: 'by_roles', quota: 'concurrent', roles: 'any' };

const tags = ['user'];

const ByName = pathParameters('username');

/** `/api/v4/user/avatar/`: pictures of users, as data URIs. */
export const avatarRoutes =
  ({ avatars }: { readonly avatars: AvatarService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/user/avatar/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_avatar',
          summary: 'Get the picture of a user',
          params: ByName,
          response: { 200: Type.String() },
        },
      },
      async ({ params: { username } }) => {
        const avatar = await avatars.get(username);
        if (avatar === undefined) {
          throw new NotFound('avatar_missing', 'No avatar for specified user', { response: null });
        }
        return avatar.picture;
      },
    );

    app.post(
      '/api/v4/user/avatar/:username/',
      {
        access: { ...READ, roles: ['self_manage', 'administration'] },
        body: 'text',
        schema: {
          tags,
          operationId: 'user_set_user_avatar',
          summary: 'Set the picture of a user; an empty body removes it',
          params: ByName,
          body: Type.String({ description: 'The data URI as it is, whatever the media type says.' }),
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async ({ params: { username }, body }) => {
        if (body === '') await avatars.delete(username);
        else await avatars.set(username, body);
        return { success: true };
      },
    );
  };
