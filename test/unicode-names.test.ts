import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CookieJar } from '../src/testing/identity/cookie-jar.ts';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';

const PASSWORD = 'a password of everybody';
const NAMES = [
  'jörg',
  'Łukasz',
  '李',
  'émile',
  'e\u0301mile',
  '😀',
  'user+tag',
  "o'neil",
  'a%b',
  'a%25b',
  'a"b',
  'a\\b',
  'a?b#c',
];
/** Names that look like `admin`, or whose end is invisible. */
const DECEPTIVE = [
  '\u202eadmin',
  'ad\u00admin',
  'admin\u200b',
  'ad\u2060min',
  '\ufeffadmin',
  'admin\u0085',
  'ad\u061cmin',
];

describe('users with names of more than ASCII', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const create = (name: string) =>
    program.request(`/api/v1/user/${encodeURIComponent(name)}`, {
      method: 'POST',
      basic: 'admin:devkey:admin',
      json: { name: 'Somebody', new_pass: PASSWORD },
    });
  /** Returns the UTF-8 bytes of a name as the header carries them. */
  const bytes = (name: string) => Buffer.from(name).toString('latin1');

  for (const name of NAMES) {
    it(`${name}: sign in at both services, in every way, as themselves`, async () => {
      assert.equal((await create(name)).status, 200);
      const whoami = async (request: object) =>
        (await program.request('/api/v1/user/whoami', request)).json.api_response;
      const authorization = `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`;
      assert.equal((await whoami({ headers: { authorization } })).username, name);
      const json = { user: name, password: PASSWORD };
      const appToken = (await program.request('/api/v1/auth/login', { method: 'POST', json })).json.api_response
        .app_token;
      assert.match(appToken, /^[\x21-\x7e]+$/, 'headers can hold it');
      assert.equal((await whoami({ bearer: appToken })).username, name);

      const login = await program.request('/api/v4/auth/login/', { service: 'analysis', method: 'POST', json });
      const headers = new CookieJar(login).sessionHeaders;
      const analysis = (path: string, request: object = { headers }) =>
        program.request(path, { service: 'analysis', ...request });
      assert.equal((await analysis('/api/v4/user/whoami/')).json.api_response.username, name);
      assert.equal((await analysis(`/api/v4/user/${encodeURIComponent(name)}/`)).json.api_response.uname, name);
      const key = { key_name: 'mine', priv: ['R'], expiry_ts: null };
      const made = await analysis('/api/v4/apikey/add/', { method: 'PUT', headers, json: key });
      const { id, keypassword } = made.json.api_response;
      assert.equal((await analysis(`/api/v4/apikey/${encodeURIComponent(id)}/`)).json.api_response.uname, name);
      const byKey = { headers: { 'x-user': bytes(name), 'x-apikey': keypassword } };
      assert.equal((await analysis('/api/v4/user/whoami/', byKey)).json.api_response.username, name);
    });
  }

  it('are found by X-USER as Python writes it, too', async () => {
    const json = { name: 'mine', priv: 'R' };
    const basic = `Basic ${Buffer.from(`jörg:${PASSWORD}`).toString('base64')}`;
    const made = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      json: { ...json, name: 'python' },
      headers: { authorization: basic },
    });
    const headers = { 'x-user': 'jörg', 'x-apikey': made.json.api_response.apikey };
    const { json: answer } = await program.request('/api/v4/user/whoami/', { service: 'analysis', headers });
    assert.equal(answer.api_response.username, 'jörg');
  });

  it('are others when they are written otherwise', async () => {
    const headers = { 'x-user': bytes('e\u0301mile'), 'x-apikey': 'mine:guess' };
    assert.equal((await program.request('/api/v4/user/whoami/', { service: 'analysis', headers })).status, 401);
    const composed = await program.request('/api/v1/user/%C3%A9mile', { basic: 'admin:devkey:admin' });
    assert.equal(composed.json.api_response.uname, 'émile');
  });

  for (const name of DECEPTIVE) {
    it(`${JSON.stringify(name)} is refused`, async () => {
      const refused = await create(name);
      assert.equal(refused.status, 400);
      assert.match(refused.json.api_error_message, /invisible/);
    });
  }
});
