import type { ClassificationEngine } from '../classification/classification.ts';
import type { Collection } from '../datastore/port/collection.ts';
import { type User, userDocument } from '../documents/kinds/user.ts';
import { type UserAvatar, userAvatarDocument } from '../documents/kinds/user-records.ts';
import { type View, viewDocument } from '../documents/kinds/view.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import type { Privilege, Role } from '../identity/actor.ts';
import { hashApiKeySecret } from '../identity/keys/api-key-records.ts';
import { hashPassword } from '../identity/passwords/passwords.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { Analyst } from './triage-courses.ts';

interface DemoKey {
  readonly privileges: readonly Privilege[];
  readonly agents?: readonly string[];
  readonly expires?: string;
}

interface DemoUser {
  readonly name: string;
  readonly email: string;
  readonly types: readonly Role[];
  /** Undefined: the default group. */
  readonly groups?: readonly string[];
  readonly clearance: 'restricted' | 'unrestricted';
  readonly keys: Readonly<Record<string, DemoKey>>;
  /** Colours of the picture. */
  readonly colours?: readonly [background: string, letter: string];
}

const RWE: DemoKey = { privileges: ['R', 'W', 'E'] };
const R: DemoKey = { privileges: ['R'] };
const W: DemoKey = { privileges: ['W'] };
const TWO_GROUPS = ['group1', 'group2'];
const USER_KEYS: DemoUser['keys'] = {
  devkey: RWE,
  impersonate_admin: { privileges: ['R', 'W', 'I'], agents: ['admin', 'goose'] },
  impersonate_potato: { privileges: ['R', 'W', 'I'], agents: ['potato'] },
};

/**
 * The accounts of the public system's test data (contract/alert.md section 11).
 * Password and the secret of every key are the user name.
 */
const DEMO_USERS: Readonly<Record<Analyst, DemoUser>> = {
  admin: {
    name: 'Michael Scott',
    email: 'admin@howler.cyber.gc.ca',
    types: ['admin', 'user', 'automation_basic', 'automation_advanced', 'actionrunner_basic', 'actionrunner_advanced'],
    groups: TWO_GROUPS,
    clearance: 'restricted',
    keys: {
      devkey: RWE,
      readonly: R,
      readonly1: R,
      impersonate: { privileges: ['R', 'I'] },
      readonly2: R,
      readonly3: R,
      write1: W,
      write2: W,
      both: { privileges: ['R', 'W'] },
      read_extended: { privileges: ['R', 'E'] },
      write_extended: { privileges: ['W', 'E'] },
      expired: { ...RWE, expires: '2023-05-30T05:12:28.566000Z' },
      not_expired: { ...RWE, expires: '3000-01-01T00:00:00.000000Z' },
    },
    colours: ['#37474f', '#ffffff'],
  },
  user: {
    name: 'Dwight Schrute',
    email: 'user@howler.cyber.gc.ca',
    types: ['user', 'automation_basic'],
    clearance: 'restricted',
    keys: USER_KEYS,
    colours: ['#6d4c41', '#ffffff'],
  },
  huey: {
    name: 'Huey Guy',
    email: 'huey@howler.cyber.gc.ca',
    types: ['user', 'automation_basic'],
    clearance: 'unrestricted',
    keys: USER_KEYS,
    colours: ['#c62828', '#ffffff'],
  },
  'shawn-h': {
    name: 'Shawn Hannigans',
    email: 'shawn.hannigans@howler.com',
    types: ['admin', 'user'],
    groups: TWO_GROUPS,
    clearance: 'unrestricted',
    keys: {},
  },
  goose: {
    name: 'Mister Goose',
    email: 'goose@howler.cyber.gc.ca',
    types: ['admin', 'user'],
    groups: TWO_GROUPS,
    clearance: 'restricted',
    keys: {},
  },
};

export interface DemoUserDependencies {
  users: UserStore;
  views: Collection<View>;
  avatars: Collection<UserAvatar>;
  classification: ClassificationEngine;
  /** Dashboard of the administrator. */
  dashboard: User['dashboard'];
}

/**
 * Writes the users of the demo, the view of each on what is assigned to them, and pictures.
 * Repeatable; a user is written last.
 */
export async function createDemoUsers(dependencies: DemoUserDependencies): Promise<readonly User[]> {
  return Promise.all(
    Object.entries(DEMO_USERS).map(([username, user]) => createDemoUser(dependencies, username, user)),
  );
}

async function createDemoUser(
  { users, views, avatars, classification, dashboard }: DemoUserDependencies,
  username: string,
  { name, email, types, groups, clearance, keys, colours }: DemoUser,
): Promise<User> {
  // One hash of each for all that share the secret: making them is slow on purpose.
  const password = await hashPassword(username);
  const secret = hashApiKeySecret(username);
  const view = readDocument(
    viewDocument,
    {
      view_id: `demo-assigned-to-${username}`,
      title: 'view.assigned_to_me',
      query: `howler.assignment:${username}`,
      type: 'readonly',
      owner: username,
    },
    { unknown: 'refuse' },
  ).document;
  const user = readDocument(
    userDocument,
    {
      uname: username,
      name,
      email,
      type: types,
      ...(groups === undefined ? {} : { groups }),
      classification: classification[clearance],
      password,
      apikeys: Object.fromEntries(
        Object.entries(keys).map(([key, { privileges, agents = [], expires }]) => [
          key,
          { acl: privileges, agents, password: secret, ...(expires === undefined ? {} : { expiry_date: expires }) },
        ]),
      ),
      favourite_views: [view.view_id],
      dashboard: username === 'admin' ? dashboard : [],
    },
    { unknown: 'refuse', classification },
  ).document;
  await views.save(view.view_id, view, { visible: 'now' });
  if (colours !== undefined) {
    const picture = readDocument(
      userAvatarDocument,
      { __non_doc_raw__: initialPicture(name, colours) },
      { unknown: 'refuse' },
    );
    await avatars.save(username, picture.document, { visible: 'now' });
  }
  await users.save(user);
  return user;
}

/** The initial of a name on a coloured ground. */
function initialPicture(name: string, [background, letter]: readonly [string, string]): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">' +
    `<rect width="64" height="64" fill="${background}"/>` +
    `<text x="32" y="44" font-family="sans-serif" font-size="36" text-anchor="middle" fill="${letter}">${name.charAt(0)}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
