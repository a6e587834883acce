import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { refusing } from '../../input/input-kinds.ts';
import type { FavoriteService } from './favorite-service.ts';

const READ: GuardedAccess = { privileges: 'by_roles', quota: 'concurrent', roles: 'any' };
const CHANGE: GuardedAccess = { ...READ, roles: ['self_manage', 'administration'] };

const tags = ['user'];
const Success = Type.Object({ success: Type.Boolean() });
const wrongFormat = () => new InvalidInput('invalid_favourite', 'Wrong format for favorite.');
const Member = refusing(Type.String(), wrongFormat);
const Favorite = refusing(
  Type.Object({ name: Member, query: Member, classification: Member, created_by: Member }),
  wrongFormat,
);
const Favorites = Type.Record(Type.String(), refusing(Type.Array(Favorite), wrongFormat));

const ByName = pathParameters('username');
const ByNameAndType = pathParameters('username', 'favorite_type');

/** `/api/v4/user/favorites/`: queries that users keep. */
export const favoriteRoutes =
  ({ favorites }: { readonly favorites: FavoriteService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/user/favorites/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_favorites',
          summary: 'Queries that a user keeps',
          params: ByName,
          response: { 200: Favorites },
        },
      },
      ({ actor, params: { username } }) => favorites.list(username, actor.classification),
    );

    app.post(
      '/api/v4/user/favorites/:username/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_set_user_favorites',
          summary: 'Replace all queries that a user keeps',
          params: ByName,
          body: Favorites,
          response: { 200: Success },
        },
        refusal: {},
      },
      async ({ params: { username }, body }) => {
        await favorites.replace(username, body);
        return { success: true };
      },
    );

    app.put(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_save_to_user_favorite',
          summary: 'Keep a query',
          params: ByNameAndType,
          body: Favorite,
          response: { 200: Success },
        },
        refusal: {},
      },
      async ({ actor, params: { username, favorite_type: type }, body }) => {
        await favorites.add(username, type, body, actor.username);
        return { success: true };
      },
    );

    app.delete(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: { ...CHANGE, audit: true },
        schema: {
          tags,
          operationId: 'user_remove_user_favorite',
          summary: 'Keep a query no more',
          params: ByNameAndType,
          body: Type.String({ description: 'Name of the query.' }),
          response: { 200: Success },
        },
        refusal: {},
      },
      async ({ params: { username, favorite_type: type }, body }) => {
        await favorites.remove(username, type, body);
        return { success: true };
      },
    );
  };
