import { defineDocument } from '../schema/document-definition.ts';
import { classification, group, keyword } from '../schema/field-builders.ts';

const favorite = group('Favorite', 'A query that a user keeps.', {
  created_by: keyword('User who made it.').notIndexed().notStored(),
  classification: classification('Who may see it.').notIndexed().notStored(),
  name: keyword('Name of the query.').notIndexed().notStored(),
  query: keyword('The query.').notIndexed().notStored(),
});

const favorites = () => favorite.list().default([]);

/** Pages of the analysis service that keep queries. */
export const FAVORITE_TYPES = ['alert', 'error', 'search', 'signature', 'submission'] as const;
export type FavoriteType = (typeof FAVORITE_TYPES)[number];

/** Saved queries of the analysis service, by user name; those of `__global__` are shared by all users. */
export const userFavoritesDocument = defineDocument(
  'user_favorites',
  {
    alert: favorites(),
    error: favorites(),
    search: favorites(),
    signature: favorites(),
    submission: favorites(),
  },
  {
    title: 'UserFavorites',
    description: 'Queries that a user keeps on the analysis service.',
    defaultSort: [{ field: 'id', order: 'asc' }],
  },
);

export type UserFavorites = typeof userFavoritesDocument.Type;
