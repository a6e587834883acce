import { defineDocument } from '../schema/document-definition.ts';
import { boolean, enumeration, integer, json, keyword, mapping, text } from '../schema/field-builders.ts';

/** Encodings of downloaded files. */
const DOWNLOAD_ENCODINGS = ['cart', 'raw', 'zip'] as const;

/** Settings of a user of the analysis service, by user name. Absent values follow the installation. */
export const userSettingsDocument = defineDocument(
  'user_settings',
  {
    download_encoding: enumeration('How files are downloaded.', DOWNLOAD_ENCODINGS).optional().notIndexed().notStored(),
    default_external_sources: keyword('Sources that files are looked for in.')
      .list()
      .optional()
      .notIndexed()
      .notStored(),
    default_zip_password: text('Password of downloaded archives.').optional().notIndexed().notStored(),
    default_metadata: mapping('Metadata of submissions.', keyword('Value of the metadata.'))
      .optional()
      .notIndexed()
      .notStored(),
    executive_summary: boolean('Whether the summary is shown.').optional().notIndexed().notStored(),
    expand_min_score: integer('Score from which on a section is shown open.').optional().notIndexed().notStored(),
    preferred_submission_profile: keyword('Profile that is chosen first.').optional().notIndexed().notStored(),
    submission_profiles: json('Changes to submission profiles, by profile.').optional().notIndexed().notStored(),
    submission_view: enumeration('Page that a submission opens on.', ['report', 'details'])
      .optional()
      .notIndexed()
      .notStored(),
  },
  {
    title: 'UserSettings',
    description: 'What a user chose on the analysis service.',
    defaultSort: [{ field: 'id', order: 'asc' }],
  },
);

export type UserSettings = typeof userSettingsDocument.Type;
