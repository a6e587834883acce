import { defineDocument } from '../schema/document-definition.ts';
import {
  boolean,
  classification,
  enumeration,
  group,
  integer,
  json,
  keyword,
  mapping,
  text,
} from '../schema/field-builders.ts';

export const userAvatarDocument = defineDocument({
  name: 'user_avatar',
  title: 'UserAvatar',
  description: 'The picture of a user.',
  fields: { __non_doc_raw__: keyword('The picture, as a data URI.').internal() },
});

export type UserAvatar = typeof userAvatarDocument.Type;

const favorite = group('Favorite', 'A query that a user keeps.', {
  created_by: keyword('User who made it.').internal(),
  classification: classification('Who may see it.').internal(),
  name: keyword('Name of the query.').internal(),
  query: keyword('The query.').internal(),
});

const favorites = favorite.list().default([]);

/** Pages of the analysis service that keep queries. */
export const FAVORITE_TYPES = ['alert', 'error', 'search', 'signature', 'submission'] as const;
export type FavoriteType = (typeof FAVORITE_TYPES)[number];

/** Saved queries of the analysis service, by user name; those of `__global__` are shared by all users. */
export const userFavoritesDocument = defineDocument({
  name: 'user_favorites',
  title: 'UserFavorites',
  description: 'Queries that a user keeps on the analysis service.',
  fields: { alert: favorites, error: favorites, search: favorites, signature: favorites, submission: favorites },
});

export type UserFavorites = typeof userFavoritesDocument.Type;

/** Preferences of a user of the web interface, by user name. Only the pages know what they mean. */
export const userPreferencesDocument = defineDocument({
  name: 'user_preferences',
  title: 'UserPreferences',
  description: 'What a user chose in the web interface.',
  fields: { preferences: json('The preferences, an object.').optional().internal() },
});

export type UserPreferences = typeof userPreferencesDocument.Type;

const DOWNLOAD_ENCODINGS = ['cart', 'raw', 'zip'] as const;

/** Settings of a user of the analysis service, by user name. Absent values follow the installation. */
export const userSettingsDocument = defineDocument({
  name: 'user_settings',
  title: 'UserSettings',
  description: 'What a user chose on the analysis service.',
  fields: {
    download_encoding: enumeration('How files are downloaded.', DOWNLOAD_ENCODINGS).optional().internal(),
    default_external_sources: keyword('Sources that files are looked for in.').list().optional().internal(),
    default_zip_password: text('Password of downloaded archives.').optional().internal(),
    default_metadata: mapping('Metadata of submissions.', keyword('Value of the metadata.')).optional().internal(),
    executive_summary: boolean('Whether the summary is shown.').optional().internal(),
    expand_min_score: integer('Score from which on a section is shown open.').optional().internal(),
    preferred_submission_profile: keyword('Profile that is chosen first.').optional().internal(),
    submission_profiles: json('Changes to submission profiles, by profile.').optional().internal(),
    submission_view: enumeration('Page that a submission opens on.', ['report', 'details']).optional().internal(),
  },
});

export type UserSettings = typeof userSettingsDocument.Type;
