import { Type } from 'typebox';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { refusing } from '../../input/input-kinds.ts';
import { ANYONE, ByName, OF_USER, OWNERS, operation, Success } from '../operations/analysis-operation.ts';
import type { UserOwnedData } from './user-owned-data.ts';

const wrongFormat = () => new InvalidInput('invalid_favourite', 'Wrong format for favorite.');
const FAVORITE = { name: 'Recent', query: 'type:*', classification: 'UNRESTRICTED', created_by: 'admin' };
const Member = refusing(Type.String(), wrongFormat);
const Favorite = refusing(
  Type.Object({ name: Member, query: Member, classification: Member, created_by: Member }, { examples: [FAVORITE] }),
  wrongFormat,
);
const Favorites = Type.Record(Type.String(), refusing(Type.Array(Favorite), wrongFormat), {
  examples: [{ search: [FAVORITE] }],
});
const ByNameAndType = pathParameters({
  username: ['Name of the user.', 'admin'],
  favorite_type: ['Kind of search that the query belongs to.', 'search'],
});

/** Serves `/api/v4/user/avatar/`: pictures of users, as data URIs. */
export const avatarRoutes =
  ({ avatars }: Pick<UserOwnedData, 'avatars'>): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/user/avatar/:username/',
      {
        access: ANYONE,
        schema: operation('user_get_user_avatar', 'Get the picture of a user', {
          params: ByName,
          reply: Type.String(),
        }),
      },
      async ({ params: { username } }) => {
        const avatar = await avatars.get(username);
        if (avatar !== undefined) return avatar.picture;
        throw new NotFound('avatar_missing', 'No avatar for specified user', { response: null });
      },
    );

    app.post(
      '/api/v4/user/avatar/:username/',
      {
        access: OWNERS,
        body: 'text',
        schema: operation('user_set_user_avatar', 'Set the picture of a user; an empty body removes it', {
          ...OF_USER,
          body: Type.String({
            description: 'The data URI as it is, with any media type.',
            examples: ['data:image/png;base64,iVBORw0KGgo='],
          }),
        }),
      },
      async ({ params: { username }, body }) => {
        if (body === '') await avatars.delete(username);
        else await avatars.set(username, body);
      },
    );
  };

/** Serves `/api/v4/user/favorites/`: queries that users keep. */
export const favoriteRoutes =
  ({ favorites }: Pick<UserOwnedData, 'favorites'>): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/user/favorites/:username/',
      {
        access: ANYONE,
        schema: operation('user_get_user_favorites', 'Queries that a user keeps', { params: ByName, reply: Favorites }),
      },
      ({ actor, params: { username } }) => favorites.list(username, actor.classification),
    );

    app.post(
      '/api/v4/user/favorites/:username/',
      {
        access: OWNERS,
        schema: operation('user_set_user_favorites', 'Replace all queries that a user keeps', {
          ...OF_USER,
          body: Favorites,
        }),
        refusal: {},
      },
      ({ params: { username }, body }) => favorites.replace(username, body),
    );

    app.put(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: OWNERS,
        schema: operation('user_save_to_user_favorite', 'Keep a query', {
          params: ByNameAndType,
          body: Favorite,
          reply: Success,
        }),
        refusal: {},
      },
      ({ actor, params: { username, favorite_type: type }, body }) =>
        favorites.add(username, type, body, actor.username),
    );

    app.delete(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: { ...OWNERS, audit: true },
        schema: operation('user_remove_user_favorite', 'Keep a query no more', {
          params: ByNameAndType,
          body: Type.String({ description: 'Name of the query.', examples: ['Recent'] }),
          reply: Success,
        }),
        refusal: {},
      },
      ({ params: { username, favorite_type: type }, body }) => favorites.remove(username, type, body),
    );
  };
