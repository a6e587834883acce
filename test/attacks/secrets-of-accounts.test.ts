import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const SECRETS = ['otp_sk', 'apps', 'security_tokens', 'identity_id', 'dn', 'password', 'apikeys'] as const;
const APP = { client_id: 'hidden-robot', scope: 'c', netloc: 'hidden', server: 'S', roles: ['submission_view'] };

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const { users } = fixture.program.foundation;
  const all = storedKey('secret', ['R', 'W', 'E']);
  await saveUser(users, 'victim', {
    otp_sk: 'hidden-otp',
    security_tokens: { phone: 'hidden-token' },
    apps: { 'hidden-token-id': APP },
    identity_id: 'hidden-identity',
    dn: 'hidden-dn',
    apikeys: { all },
  });
  await saveUser(users, 'reader', { type: ['user'], apikeys: { all: storedKey('secret', ['R']) } });
  await saveUser(users, 'boss', { type: ['admin', 'user'], apikeys: { all } });
});
after(() => fixture[Symbol.asyncDispose]());

describe('secrets of accounts at the alert service', () => {
  const SEARCHES = [
    `/api/v1/search/user?query=uname:victim&fl=${SECRETS.join()}`,
    `/api/v2/search/user?query=uname:victim&fl=${SECRETS.join()}`,
    '/api/v1/search/user?query=uname:victim',
    '/api/v1/search/user?query=uname:victim&fl=*',
    ...SECRETS.flatMap((field) => [
      `/api/v1/search/user?query=uname:victim&fl=uname,${field}`,
      `/api/v1/search/facet/user/${field}?query=uname:victim`,
      `/api/v1/search/grouped/user/${field}?query=uname:victim`,
    ]),
  ];
  for (const path of SEARCHES) {
    it(`are not in the answer of ${path}`, async () => {
      for (const basic of ['reader:all:secret', 'boss:all:secret']) {
        const answer = await fixture.program.request(path, { basic });
        assert.doesNotMatch(answer.text, /hidden|argon2|hmac-sha256/, answer.text);
      }
    });
  }

  it('cannot be guessed by a search, sort or field list', async () => {
    for (const field of SECRETS) {
      const guessed = await fixture.program.request(`/api/v1/search/user?query=${field}:h*`, {
        basic: 'reader:all:secret',
      });
      assert.ok(guessed.status >= 400 || guessed.json.api_response.total === 0, `${field}: ${guessed.text}`);
      const sorted = await fixture.program.request(`/api/v1/search/user?query=*&sort=${field}%20asc`, {
        basic: 'reader:all:secret',
      });
      assert.ok(sorted.status >= 400, `${field}: ${sorted.text}`);
    }
    const { text } = await fixture.program.request('/api/v1/search/fields/user', { basic: 'reader:all:secret' });
    for (const field of SECRETS) assert.doesNotMatch(text, new RegExp(`"${field}[".]`));
  });

  it('are never shown with the account, neither to its owner nor to administrators', async () => {
    for (const basic of ['victim:all:secret', 'boss:all:secret']) {
      const { status, text } = await fixture.program.request('/api/v1/user/victim', { basic });
      assert.equal(status, 200);
      assert.doesNotMatch(text, /hidden-(?:otp|token|robot|identity)|argon2|hmac-sha256/);
    }
  });

  it('cannot be set, nor what the analysis service alone gives out, also by administrators', async () => {
    const json = {
      name: 'Renamed',
      otp_sk: 'mine',
      security_tokens: {},
      apps: { mine: APP },
      identity_id: 'mine',
      dn: 'mine',
      can_impersonate: true,
      analysis_types: ['signature_manager'],
      roles: ['administration'],
      apikeys: {},
    };
    const { users } = fixture.program.foundation;
    const before = await users.get('victim');
    const changed = await fixture.program.request('/api/v1/user/victim', {
      method: 'PUT',
      basic: 'boss:all:secret',
      json,
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(await users.get('victim'), { ...before, name: 'Renamed' });
    const made = await fixture.program.request('/api/v1/user/made', { method: 'POST', basic: 'boss:all:secret', json });
    assert.equal(made.status, 200, made.text);
    const stored: Record<string, unknown> = { ...(await users.get('made')) };
    for (const field of [...SECRETS, 'can_impersonate', 'analysis_types', 'roles'].filter((name) => name in stored)) {
      assert.ok(field === 'password' || JSON.stringify(stored[field]) === '{}', `${field} was set`);
    }
  });
});
