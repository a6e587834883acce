import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { userDocument } from '../../documents/kinds/user.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { accountDetails, namedGroups, ownProfile } from './user-profile.ts';

const { document: user } = readDocument(
  userDocument,
  {
    uname: 'ana',
    name: 'Ana',
    password: 'the hash',
    email: 'ana@triad.example',
    access_control: 'a:b',
    apikeys: {
      devkey: { acl: ['R', 'W'], password: 'another hash' },
      old: { acl: ['R'], password: 'another hash', expiry_date: '2030-01-02T03:04:05Z' },
    },
    type: ['user', 'admin'],
  },
  { unknown: 'refuse', classification: testClassification },
);

describe('what people are told of accounts', () => {
  it('is the profile that clients know', () => {
    const profile = ownProfile(user, undefined);
    assert.deepEqual(Object.keys(profile).sort(), [
      'api_quota',
      'apikeys',
      'avatar',
      'classification',
      'dashboard',
      'email',
      'favourite_analytics',
      'favourite_views',
      'groups',
      'is_active',
      'is_admin',
      'name',
      'refresh_rate',
      'roles',
      'username',
    ]);
    assert.deepEqual(profile.apikeys, [
      ['devkey', ['R', 'W'], null],
      ['old', ['R'], 'Wed, 02 Jan 2030 03:04:05 GMT'],
    ]);
    assert.deepEqual([profile.avatar, profile.is_admin, profile.username], [null, true, 'ana']);
  });

  it('holds no secret', () => {
    for (const shown of [ownProfile(user, 'x'), accountDetails(user), accountDetails(user, { picture: 'x' })]) {
      assert.doesNotMatch(JSON.stringify(shown), /hash/);
    }
  });

  it('names roles, keys without their privileges, and the picture when asked for', () => {
    const { roles, apikeys, uname, username, has_password, avatar } = accountDetails(user, { picture: undefined });
    assert.deepEqual(
      [roles, apikeys, uname, username, has_password, avatar],
      [
        ['user', 'admin'],
        [
          ['devkey', []],
          ['old', []],
        ],
        'ana',
        'ana',
        true,
        null,
      ],
    );
    assert.ok(!('avatar' in accountDetails(user)));
    assert.ok(!('type' in accountDetails(user)));
  });

  it('gives groups names for people', () => {
    assert.deepEqual(namedGroups(['team-one', 'night_shift', 'USERS']), [
      { id: 'team-one', name: 'Team One' },
      { id: 'night_shift', name: 'Night Shift' },
      { id: 'USERS', name: 'USERS' },
    ]);
  });
});
