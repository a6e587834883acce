import { objectBody } from '../../http/object-body.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { refusingWith } from '../refusal-response.ts';
import type { FavoriteService } from './favorite-service.ts';

const READ: GuardedAccess = { privileges: 'by_roles', quota: 'concurrent', roles: 'any' };
const CHANGE: GuardedAccess = { ...READ, roles: ['self_manage', 'administration'] };

const tags = ['user'];
const Success = Type.Object({ success: Type.Boolean() });
const Favorite = Type.Object({
  name: Type.String(),
  query: Type.String(),
  classification: Type.String(),
  created_by: Type.String(),
});
const Favorites = Type.Record(Type.String(), Type.Array(Favorite));

interface ByName {
  Params: { username: string };
}
interface ByNameAndType {
  Params: { username: string; favorite_type: string };
}

/** `/api/v4/user/favorites/`: queries that users keep. */
export const favoriteRoutes =
  ({ favorites }: { readonly favorites: FavoriteService }): RouteModule =>
  (app) => {
    app.get<ByName>(
      '/api/v4/user/favorites/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_favorites',
          summary: 'Queries that a user keeps',
          response: { 200: Favorites },
        },
      },
      ({ actor, params: { username } }) => favorites.list(username, actor.classification),
    );

    app.post<ByName>(
      '/api/v4/user/favorites/:username/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_set_user_favorites',
          summary: 'Replace all queries that a user keeps',
          body: Favorites,
          response: { 200: Success },
        },
      },
      ({ params: { username }, body }) =>
        refusingWith({}, async () => {
          await favorites.replace(username, objectBody(body));
          return { success: true };
        }),
    );

    app.put<ByNameAndType>(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_save_to_user_favorite',
          summary: 'Keep a query',
          body: Favorite,
          response: { 200: Success },
        },
      },
      ({ actor, params: { username, favorite_type: type }, body }) =>
        refusingWith({}, async () => {
          await favorites.add(username, type, body, actor.username);
          return { success: true };
        }),
    );

    app.delete<ByNameAndType>(
      '/api/v4/user/favorites/:username/:favorite_type/',
      {
        access: { ...CHANGE, audit: true },
        schema: {
          tags,
          operationId: 'user_remove_user_favorite',
          summary: 'Keep a query no more',
          body: Type.String({ description: 'Name of the query.' }),
          response: { 200: Success },
        },
      },
      ({ params: { username, favorite_type: type }, body }) =>
        refusingWith({}, async () => {
          await favorites.remove(username, type, body);
          return { success: true };
        }),
    );
  };
