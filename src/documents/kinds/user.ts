import { defineDocument } from '../schema/document-definition.ts';
import {
  boolean,
  date,
  email,
  enumeration,
  group,
  integer,
  keyword,
  long,
  mapping,
  userClassification,
} from '../schema/field-builders.ts';
import { ANALYSIS_ROLES } from './analysis-roles.ts';

/** Privileges of an API key: read, write, extended (may be exchanged for a session), impersonate. */
export const KEY_PRIVILEGES = ['R', 'W', 'E', 'I'] as const;

/** Kinds of users, which decide what they may do. */
export const USER_TYPES = [
  'admin',
  'user',
  'automation_basic',
  'automation_advanced',
  'actionrunner_basic',
  'actionrunner_advanced',
] as const;

/** Kinds of users that only the analysis service knows. */
export const ANALYSIS_USER_TYPES = [
  'signature_manager',
  'signature_importer',
  'viewer',
  'submitter',
  'custom',
] as const;

const apiKey = group('ApiKey', 'A key that stands for its owner.', {
  acl: enumeration('Privileges of the key.', KEY_PRIVILEGES).list().internal(),
  agents: keyword('Users who may impersonate the owner with the key.').list().default([]).internal(),
  password: keyword('Hash of the secret.').internal(),
  expiry_date: date('When the key stops working.').optional().internal(),
});

const keyDetails = group('KeyDetails', 'What the analysis service alone knows of an API key.', {
  roles: keyword('Roles on the analysis service, when they were chosen one by one; then the key has no privileges.')
    .list()
    .optional()
    .internal(),
  creation_date: date('When the key was made.').optional().internal(),
  last_used: date('Day on which the key was last used.').optional().internal(),
});

const impersonationApp = group(
  'ImpersonationApp',
  'A client that may call the analysis service in the name of the user.',
  {
    client_id: keyword('User name that the client signs in with.').internal(),
    netloc: keyword('Host that the token was sent to.').internal(),
    scope: keyword('Privileges that were asked for, as one text.').internal(),
    server: keyword('Name of the server, for people.').internal(),
    roles: keyword('Roles that the client may use.').list().internal(),
  },
);

const securityTokenDetails = group('SecurityTokenDetails', 'What this program alone knows of a security token.', {
  counter: long('Number of uses that the token counted at its last one; 0 when it does not count.').internal(),
  transports: keyword('Connections of the token, for browsers.').list().optional().internal(),
  creation_date: date('When it was registered.').optional().internal(),
  last_used: date('Day on which it was last used.').optional().internal(),
});

const dashboardEntry = group('DashboardEntry', 'Card of the dashboard.', {
  entry_id: keyword('Identifier of the card.').internal(),
  type: enumeration('What the card shows.', ['view', 'analytic', 'case', 'tasks']).internal(),
  config: keyword('Settings of the card, as JSON text.').internal(),
});

export const userDocument = defineDocument({
  name: 'user',
  title: 'User',
  description: 'A person or a program that signs in.',
  idField: 'uname',
  idAlias: 'username',
  fields: {
    api_quota: integer('Requests that may run at the same time.').default(25).notStored(),
    apikeys: mapping('API keys by name.', apiKey).default({}).internal().secret(),
    classification: userClassification('Highest classification that the user may see.').copyToText(),
    email: email('E-mail address.').optional().copyToText(),
    groups: keyword('Groups that the user belongs to.').list().default(['USERS']).copyToText(),
    is_active: boolean('Whether the user may sign in.').default(true),
    name: keyword('Full name.').copyToText(),
    password: keyword('Hash of the password.').internal().secret(),
    access_control: keyword('Query that limits what searches show, made from the classification.')
      .optionalNotEmpty()
      .internal()
      .secret(),
    type: enumeration('Kinds of user, which decide what they may do.', USER_TYPES)
      .list()
      .default(['user', 'actionrunner_basic']),
    uname: keyword('Name to sign in with.').copyToText(),
    favourite_views: keyword('Identifiers of favourite views.').list().default([]),
    favourite_analytics: keyword('Identifiers of favourite analytics.').list().default([]),
    dashboard: dashboardEntry.list().default([]),
    refresh_rate: integer('Seconds after which the dashboard is loaded again.').default(15),
    // What follows is known to the analysis service alone; the alert service leaves it as it is. It stands beside what the public alert
    // service knows, never within: that one passes over fields of a user that it does not know, but cannot read a user who has one in a key.
    key_details: mapping('More about the API keys, by name.', keyDetails).optional().internal().secret(),
    analysis_types: enumeration(
      'Kinds of user on the analysis service beside admin and user, which both services share.',
      ANALYSIS_USER_TYPES,
    )
      .list()
      .optional(),
    roles: enumeration(
      'Roles on the analysis service; when there are any, they replace those of the kinds.',
      ANALYSIS_ROLES,
    )
      .list()
      .optional(),
    agrees_with_tos: date('When the terms of service were agreed to.').optional(),
    api_daily_quota: integer('Requests a day on the analysis service; 0 is unlimited.').optional().notStored(),
    submission_quota: integer('Submissions at the same time.').optional().notStored(),
    submission_async_quota: integer('Submissions without waiting at the same time.').optional().notStored(),
    submission_daily_quota: integer('Submissions a day; 0 is unlimited.').optional().notStored(),
    can_impersonate: boolean('Whether the user may call in the name of others who allowed it.').optional().notStored(),
    dn: keyword('Distinguished name of the certificate of the user.').optional().secret(),
    identity_id: keyword('Identifier of the user at the identity provider, with the name of the provider.')
      .optional()
      .notStored()
      .secret(),
    further_identities: keyword('Further identifiers of the user at identity providers.')
      .list()
      .optional()
      .notStored()
      .secret(),
    synchronised_at: date('When the claims were issued that the account was last synchronised with.')
      .optional()
      .internal()
      .secret(),
    organization: keyword('Organisation of the user.').optional().copyToText(),
    apps: mapping('Clients that may call in the name of the user, by token.', impersonationApp)
      .optional()
      .internal()
      .secret(),
    otp_sk: keyword('Secret of one-time passwords.').optional().internal().secret(),
    security_tokens: mapping('Security tokens by name.', keyword('A security token.')).optional().internal().secret(),
    security_token_details: mapping(
      'More about the security tokens, by digest of their identifier.',
      securityTokenDetails,
    )
      .optional()
      .internal()
      .secret(),
    recovery_codes: keyword('Digests of the codes that stand in for a second factor.')
      .list()
      .optional()
      .internal()
      .secret(),
  },
});

export type User = typeof userDocument.Type;

/** Fields of an account that are never returned, even to its owner: credentials and permitted clients. */
export const SECRET_USER_FIELDS = [
  'password',
  'otp_sk',
  'security_tokens',
  'security_token_details',
  'recovery_codes',
  'apps',
  'identity_id',
  'further_identities',
  'synchronised_at',
  'key_details',
] as const satisfies readonly (keyof User)[];
