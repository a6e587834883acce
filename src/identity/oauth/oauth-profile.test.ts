import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import type { Claims } from './claim-values.ts';
import { ProfileReader } from './oauth-profile.ts';

const engine = loadClassification(DEMO_CLASSIFICATION);

function readerOf(settings: Readonly<Record<string, unknown>> = {}, gravatar = false): ProfileReader {
  const provider = { jwks_uri: 'http://127.0.0.1/jwks', ...settings };
  const { auth } = loadConfig({ environment: {}, flags: { 'auth.oauth.providers': { main: provider } } });
  const { main } = auth.oauth.providers;
  assert.ok(main);
  return new ProfileReader({ provider: 'main', settings: main, engine, gravatar });
}
const read = (claims: Claims, settings?: Readonly<Record<string, unknown>>) => readerOf(settings).read(claims);

describe('the e-mail address', () => {
  it('is that of the first claim that has one, in lower case', () => {
    assert.equal(read({ email: 'Ada@Example.ORG', upn: 'x@y.org' }).email, 'ada@example.org');
    assert.equal(read({ emails: ['A@example.org', 'b@example.org'] }).email, 'a@example.org');
    assert.equal(read({ preferred_username: 'ada@example.org' }).email, 'ada@example.org');
    assert.equal(read({ upn: 'ada@example.org' }).email, 'ada@example.org');
    assert.equal(read({ mail: 'ada@example.org' }, { email_fields: ['mail'] }).email, 'ada@example.org');
  });

  it('is none when the first has no @, or is not a string', () => {
    assert.equal(read({ email: 'ada', upn: 'ada@example.org' }).email, undefined);
    assert.equal(read({ email: { $ne: 1 } }).email, undefined);
    assert.equal(read({ email: 'a\0@example.org' }).email, undefined);
  });

  it('counts as verified when the flag beside it is true, and nothing else, or the settings trust the provider', () => {
    assert.equal(read({ email: 'a@b.org', email_verified: true }).emailVerified, true);
    for (const email_verified of [undefined, false, 'false', 'true', 1, [true]]) {
      assert.equal(read({ email: 'a@b.org', email_verified }).emailVerified, false);
      assert.equal(read({ email: 'a@b.org', email_verified }, { trust_email: true }).emailVerified, true);
    }
    assert.equal(read({ upn: 'a@b.org', email_verified: true }).emailVerified, false);
    const other = { email: 'a@b.org', email_verified: true, mail: 'c@d.org' };
    assert.equal(read(other, { email_fields: ['mail', 'email'] }).emailVerified, false);
    assert.equal(read({ email_verified: true }, { trust_email: true }).emailVerified, false);
  });

  it('is taken with its flag from one document', () => {
    const addressOf = (...documents: [Claims, ...Claims[]]) => {
      const { email, emailVerified, username } = readerOf().read(...documents);
      return [email, emailVerified, username];
    };
    const named = { preferred_username: 'ada' };
    const verified = { email: 'own@b.org', email_verified: true };
    const claimed = { ...named, email: 'victim@b.org' };
    assert.deepEqual(addressOf(claimed, { email_verified: true }), ['victim@b.org', false, 'ada']);
    assert.deepEqual(addressOf({ email_verified: true }, claimed), ['victim@b.org', false, 'ada']);
    assert.deepEqual(addressOf(claimed, verified), ['own@b.org', true, 'ada']);
    assert.deepEqual(addressOf(verified, claimed), ['own@b.org', true, 'ada']);
    assert.deepEqual(addressOf(named, verified), ['own@b.org', true, 'ada']);
  });
});

describe('names', () => {
  it('come first name first', () => {
    assert.equal(read({ name: 'Lovelace, Ada' }).name, 'Ada Lovelace');
    assert.equal(read({ displayName: 'Ada' }).name, 'Ada');
    assert.equal(read({}).name, undefined);
  });

  const cases: readonly [string, Claims, Readonly<Record<string, unknown>>, string | undefined][] = [
    ['the claim', { uname: 'ada', preferred_username: 'other' }, {}, 'ada'],
    ['the preferred one', { preferred_username: 'ada', email: 'x@y.org' }, {}, 'ada'],
    ['the configured claim', { login: 'ada', preferred_username: 'other' }, { uid_field: 'login' }, 'ada'],
    ['parts of the address', { email: 'ada.l@mail.example.org' }, {}, 'adal-mail'],
    [
      'what the expression captures',
      { email: 'Ada.Love@example.org' },
      { uid_regex: '([a-z]+)\\.([a-z]+)@.*' },
      'adalove',
    ],
    [
      'that in a format',
      { email: 'ada.love@example.org' },
      { uid_regex: '([a-z]+)\\.([a-z]+)@.*', uid_format: '{1}-{0}' },
      'love-ada',
    ],
    [
      'a format without numbers',
      { email: 'ada.love@example.org' },
      { uid_regex: '(?P<first>\\w)[^.]*\\.(\\w+)', uid_format: '{}{}' },
      'alove',
    ],
    ['the address where the expression fails', { email: 'ada@example.org' }, { uid_regex: '([0-9]+)' }, 'ada-example'],
    ['an address in another case, as the public systems do', { upn: 'Zed_One@x.org' }, {}, 'ZedOnexorg'],
    ['the display name', { name: 'Ada Lovelace' }, {}, 'Ada-Lovelace'],
    ['the display name when nothing is left', { preferred_username: 'Ада', name: 'Ada' }, {}, 'Ada'],
    ['letters, digits and - alone', { preferred_username: '../ada:x{}_*' }, {}, 'adax'],
    ['nothing', {}, {}, undefined],
  ];
  for (const [what, claims, settings, expected] of cases) {
    it(`make the user name: ${what}`, () => assert.equal(read(claims, settings).username, expected));
  }

  it('are random where the settings say so', () => {
    const settings = { uid_randomize: true, uid_randomize_digits: 3, uid_randomize_delimiter: '-' };
    const reader = readerOf(settings);
    const names = new Set(Array.from({ length: 20 }, () => reader.read({ preferred_username: 'ada' }).username));
    assert.ok(names.size > 15);
    for (const name of names) assert.match(name ?? '', /^[a-z]+-[a-z]+-\d{3}$/);
  });
});

describe('what someone is', () => {
  it('is a user, and what their groups map to', () => {
    assert.deepEqual(read({ groups: ['soc'] }).types, ['user']);
    const settings = { role_map: { admin: 'admins', automation_basic: 'robots' } };
    assert.deepEqual(read({ groups: ['admins', 'robots'] }, settings).types, ['admin', 'user', 'automation_basic']);
    assert.deepEqual(read({ groups: 'admins' }, settings).types, ['admin', 'user']);
    assert.deepEqual(read({ groups: ['Admins'] }, settings).types, ['user']);
    assert.deepEqual(read({ groups: { admins: 1 } }, settings).groups, []);
  });

  it('follows rules, each by its first match at the beginning of a value', () => {
    const rule = (type: string, field: string, pattern: string, value: string) => ({
      type,
      field,
      pattern,
      value,
    });
    const settings = {
      auto_properties: [
        rule('role', 'department', 'soc', 'admin'),
        rule('classification', 'clearance', 'secret', 'RESTRICTED'),
        rule('classification', 'marks', '.*adm', 'UNRESTRICTED//ADM'),
        rule('group', 'department', '(\\w+)-(\\w+)', 'dept-$2'),
        rule('multi_group', 'teams', 'team-(.*)', '$1'),
        rule('assignment', 'department', '.*', 'ignored'),
      ],
      role_map: { actionrunner_basic: 'dept-north' },
    };
    const teams = ['team-a', 'b', 'team-c'];
    const profile = read(
      { department: ['soc-north', 'soc-south'], clearance: 'secret', marks: 'xadm', teams },
      settings,
    );
    assert.deepEqual(profile.types, ['admin', 'user', 'actionrunner_basic']);
    assert.deepEqual(profile.groups, ['dept-north', 'a', 'c']);
    assert.equal(profile.classification, 'RESTRICTED//ADMIN');
    assert.deepEqual(read({ department: 'not-soc', clearance: 'top secret' }, settings).types, ['user']);
    assert.equal(read({ clearance: 'top secret' }, settings).classification, 'UNRESTRICTED');
  });

  it('names kinds and roles of the analysis service only where the settings do', () => {
    assert.equal(read({}).analysisTypes, undefined);
    assert.equal(read({}).analysisRoles, undefined);
    const settings = { role_map: { signature_manager: 'signers' } };
    assert.deepEqual(read({ groups: ['signers'] }, settings).analysisTypes, ['signature_manager']);
    assert.deepEqual(read({}, settings).analysisTypes, []);
    const viewer = { auto_properties: [{ type: 'type', field: 'kind', pattern: 'guest', value: 'viewer' }] };
    const guest = read({ kind: 'guest' }, viewer);
    assert.deepEqual([guest.types, guest.analysisTypes], [[], ['viewer']]);
    const less = {
      auto_properties: [{ type: 'remove_role', field: 'kind', pattern: 'guest', value: 'file_download' }],
    };
    const roles = read({ kind: 'guest' }, less).analysisRoles ?? [];
    assert.ok(roles.includes('file_detail') && !roles.includes('file_download'));
  });

  it('raises the classification by groups, and leaves out what the definition does not know', () => {
    const settings = { classification_map: { a: 'RESTRICTED', b: 'UNRESTRICTED//SU', c: 'NOT A LEVEL' } };
    assert.equal(read({ groups: ['a', 'b', 'c'] }, settings).classification, 'RESTRICTED//SUPER USER');
    assert.equal(read({}, settings).classification, 'UNRESTRICTED');
  });

  it('tells who is admitted', () => {
    const rule = (value: string) => ({
      auto_properties: [{ type: 'access', field: 'groups', pattern: 'soc$', value }],
      required_groups: ['one', 'two'],
    });
    assert.equal(read({ groups: ['x', 'soc'] }, rule('True')).admitted, true);
    assert.equal(read({ groups: ['x'] }, rule('True')).admitted, false);
    assert.equal(read({}, rule('True')).admitted, false);
    assert.equal(read({ groups: ['soc'] }, rule('False')).admitted, false);
    assert.equal(read({ groups: ['x'] }, rule('False')).admitted, true);
    assert.deepEqual(read({ groups: ['two'] }, rule('True')).missingGroups, ['one']);
    assert.deepEqual(read({ groups: ['two', 'one'] }, rule('True')).missingGroups, []);
  });
});

describe('who someone is at the provider', () => {
  it('is the claim for that, then the subject with the provider, so that no one is someone of another provider', () => {
    assert.deepEqual(read({ sub: '1' }).identities, ['main:1']);
    assert.deepEqual(read({ sub: '1', oid: 'f00' }).identities, ['main/oid:f00', 'main:1']);
    assert.deepEqual(read({ sub: '1', id: 'x' }, { identity_id_field: 'id' }).identities, ['main/id:x', 'main:1']);
    assert.deepEqual(read({ sub: '1', oid: 'other:2' }).identities, ['main/oid:other:2', 'main:1']);
    assert.equal(read({ sub: '1', oid: 'f00' }).unscopedIdentity, 'f00');
    assert.equal(read({ sub: '1', oid: 'other:2' }).unscopedIdentity, undefined);
    assert.deepEqual(read({ sub: '' }).identities, []);
  });
});

describe('pictures', () => {
  const email = 'Ada@example.org';
  it('are those of the provider, else of gravatar.com', () => {
    assert.equal(read({ email, picture: 'https://p.example/1' }).picture, 'https://p.example/1');
    assert.equal(read({ email }, { picture_url: 'https://p.example/me' }).picture, 'https://p.example/me');
    assert.equal(read({ email }).picture, undefined);
    assert.match(
      readerOf({}, true).read({ email }).picture ?? '',
      /^https:\/\/www\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/,
    );
  });
});

describe('settings that make no sense', () => {
  it('are refused with their key', () => {
    const refused = (settings: Readonly<Record<string, unknown>>, message: RegExp) =>
      assert.throws(() => readerOf(settings), { code: 'invalid_setting', message });
    refused({ uid_regex: '(' }, /auth\.oauth\.providers\.main\.uid_regex/);
    refused({ auto_properties: [{ field: 'x', pattern: '[' }] }, /main\.auto_properties\.0\.pattern/);
    refused({ role_map: { 'soc-admins': 'admin' } }, /soc-admins is not a user type/);
  });
});

describe('an expression of the settings that takes forever with some texts', () => {
  const endless = '([a-z]+\\s?)+$';
  const text = `${'a'.repeat(300)}!`;
  const rows: readonly [string, Claims, Readonly<Record<string, unknown>>][] = [
    ['a claim', { note: text }, { auto_properties: [{ field: 'note', pattern: endless, type: 'group', value: 'x' }] }],
    [
      'one of many groups',
      { groups: ['a b', text] },
      { auto_properties: [{ field: 'groups', pattern: endless, type: 'role', value: 'admin' }] },
    ],
    ['the address', { email: `${'a'.repeat(300)}@b.example` }, { uid_regex: '([a-z]+)+#' }],
  ];
  for (const [what, claims, settings] of rows) {
    it(`admits no one with such text in ${what}, takes its time once, and continues with others`, () => {
      const reader = readerOf(settings);
      const begun = performance.now();
      assert.throws(() => reader.read(claims), { code: 'not_admitted' });
      const first = performance.now() - begun;
      for (let again = 0; again < 100; again++) assert.throws(() => reader.read(claims), { code: 'not_admitted' });
      assert.ok(performance.now() - begun < 2 * first, 'the same claims are not matched again');
      assert.equal(reader.read({ email: 'ada@example.org', note: 'a b' }).email, 'ada@example.org');
    });
  }
});
