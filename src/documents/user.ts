import { defineDocument } from './document-definition.ts';
import {
  boolean,
  date,
  email,
  enumeration,
  group,
  integer,
  keyword,
  mapping,
  userClassification,
} from './field-builders.ts';

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

const apiKey = group('ApiKey', 'A key that stands for its owner.', {
  acl: enumeration('Privileges of the key.', KEY_PRIVILEGES).list().notIndexed().notStored(),
  agents: keyword('Users who may impersonate the owner with the key.').list().default([]).notIndexed().notStored(),
  password: keyword('Hash of the secret.').notIndexed().notStored(),
  expiry_date: date('When the key stops working.').optional().notIndexed().notStored(),
});

const dashboardEntry = group('DashboardEntry', 'Card of the dashboard.', {
  entry_id: keyword('Identifier of the card.').notIndexed().notStored(),
  type: enumeration('What the card shows.', ['view', 'analytic', 'case', 'tasks']).notIndexed().notStored(),
  config: keyword('Settings of the card, as JSON text.').notIndexed().notStored(),
});

/** A person or a program that signs in. */
export const userDocument = defineDocument(
  'user',
  {
    api_quota: integer('Requests that may run at the same time.').default(25).notStored(),
    apikeys: mapping('API keys by name.', apiKey).default({}).notIndexed().notStored(),
    classification: userClassification('Highest classification that the user may see.').copyToText(),
    email: email('E-mail address.').optional().copyToText(),
    groups: keyword('Groups that the user belongs to.').list().default(['USERS']).copyToText(),
    is_active: boolean('Whether the user may sign in.').default(true),
    name: keyword('Full name.').copyToText(),
    password: keyword('Hash of the password.').notIndexed().notStored(),
    access_control: keyword('Query that limits what searches show, made from the classification.')
      .optionalNotEmpty()
      .notIndexed()
      .notStored(),
    type: enumeration('Kinds of user, which decide what they may do.', USER_TYPES)
      .list()
      .default(['user', 'actionrunner_basic']),
    uname: keyword('Name to sign in with.').copyToText(),
    favourite_views: keyword('Identifiers of favourite views.').list().default([]),
    favourite_analytics: keyword('Identifiers of favourite analytics.').list().default([]),
    dashboard: dashboardEntry.list().default([]),
    refresh_rate: integer('Seconds after which the dashboard is loaded again.').default(15),
  },
  {
    title: 'User',
    description: 'A person or a program that signs in.',
    idField: 'uname',
    defaultSort: [{ field: 'id', order: 'asc' }],
  },
);

export type User = typeof userDocument.Type;
