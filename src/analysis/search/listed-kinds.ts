import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, USER_TYPES } from '../../documents/kinds/user.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import {
  anyJson,
  boolean,
  date,
  enumeration,
  integer,
  keyword,
  mapping,
  text,
  userClassification,
} from '../../documents/schema/field-builders.ts';

/** A user as searches of this service show them. Without a collection: all services share accounts. */
export const listedUser = defineDocument({
  name: 'user',
  title: 'ListedUser',
  description: 'A user, as searches show them.',
  idField: 'uname',
  identifierInText: true,
  fields: {
    agrees_with_tos: date('When the terms of service were agreed to.').optional().internal(),
    api_daily_quota: integer('Requests a day; 0 is unlimited.').optional().notStored(),
    api_quota: integer('Requests at the same time.').optional().notStored(),
    apps: mapping('Clients that may call in the name of the user.', anyJson('A client.')).optional().internal(),
    can_impersonate: boolean('Whether the user may call in the name of others.').default(false).internal(),
    classification: userClassification('Highest classification that the user may see.').copyToText(),
    dn: keyword('Distinguished name of the certificate of the user.').optional().copyToText().notStored(),
    email: keyword('E-mail address.').optional().copyToText(),
    groups: keyword('Groups of the user.').list().default([]).copyToText(),
    identity_id: keyword('Identifier at the identity provider.').optional().copyToText().notStored(),
    is_active: boolean('Whether the user may sign in.').default(true),
    name: keyword('Full name.').copyToText(),
    organization: text('Organisation of the user.').optional(),
    otp_sk: keyword('Never shown.').optional().internal(),
    password: keyword('Never shown.').optional().internal(),
    roles: enumeration('Roles that replace those of the kinds.', ANALYSIS_ROLES).list().default([]),
    security_tokens: mapping('Names of security tokens.', anyJson('A token.')).optional().internal(),
    submission_async_quota: integer('Submissions without waiting at the same time.').optional().notStored(),
    submission_daily_quota: integer('Submissions a day; 0 is unlimited.').optional().notStored(),
    submission_quota: integer('Submissions at the same time.').optional().notStored(),
    type: enumeration('Kinds of user.', [...USER_TYPES, ...ANALYSIS_USER_TYPES])
      .list()
      .default([]),
    uname: keyword('Name to sign in with.').copyToText(),
  },
});

/** An API key as searches of this service show it. Without a collection: its owner stores it. */
export const listedApiKey = defineDocument({
  name: 'apikey',
  title: 'ListedApiKey',
  description: 'A key that stands for its owner.',
  identifierInText: true,
  fields: {
    acl: keyword('Privileges: R, W, E, or C for roles that were chosen one by one.').list().default([]),
    creation_date: date('When the key was made.').optional(),
    expiry_ts: date('When the key stops working.').optional(),
    key_name: keyword('Name of the key.').copyToText(),
    last_used: date('Day on which the key was last used.').optional(),
    password: keyword('Never shown.').optional().secret(),
    roles: enumeration('What the key allows of what its owner may do.', ANALYSIS_ROLES).list().default([]),
    uname: keyword('Owner of the key.').copyToText(),
  },
});
