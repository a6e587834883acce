import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { date, enumeration, keyword } from '../../documents/schema/field-builders.ts';

/** An API key as administrators search for it. It is stored with its owner, so there is no collection of these. */
export const listedApiKey = defineDocument(
  'apikey',
  {
    acl: keyword('Privileges: R, W, E, or C for roles that were chosen one by one.').list().default([]),
    creation_date: date('When the key was made.').optional(),
    expiry_ts: date('When the key stops working.').optional(),
    key_name: keyword('Name of the key.'),
    last_used: date('Day on which the key was last used.').optional(),
    roles: enumeration('What the key allows of what its owner may do.', ANALYSIS_ROLES).list().default([]),
    uname: keyword('Owner of the key.'),
  },
  {
    title: 'API key',
    description: 'A key that stands for its owner.',
    defaultSort: [{ field: 'id', order: 'asc' }],
  },
);
