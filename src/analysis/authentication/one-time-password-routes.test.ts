import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import { encode } from 'uqr';
import { CookieJar } from '../../testing/identity/cookie-jar.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

describe('one-time passwords', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
    const { foundation } = program;
    await foundation.accounts.create('anna', { name: 'Anna', new_pass: 'anna has a long password', type: ['user'] });
  });
  after(() => program.close());

  /** A session of anna's own, with its XSRF token. */
  async function signIn(otp?: string) {
    const answer = await program.request('/api/v4/auth/login/', {
      service: 'analysis',
      method: 'POST',
      json: { user: 'anna', password: 'anna has a long password', ...(otp === undefined ? {} : { otp }) },
      headers: { 'user-agent': 'browser' },
    });
    const headers = { ...new CookieJar(answer).sessionHeaders, 'user-agent': 'browser' };
    const get = (path: string) => program.request(path, { service: 'analysis', headers });
    return { answer, get };
  }

  it('are set up with an address, the same as an image, and a first code, and asked for from then on', async () => {
    const { get } = await signIn();
    const setup = await get('/api/v4/auth/setup_otp/');
    assert.equal(setup.status, 200, setup.text);
    assert.equal(setup.headers.get('cache-control'), 'no-store');
    const { otp_url: address, qrcode, secret_key: secret } = setup.json.api_response;
    assert.ok(address.startsWith('otpauth://totp/') && address.includes(`secret=${secret}`), address);
    // Each dark module of the code of that address is a part of the image's path.
    const dark = encode(address).data.flat().filter(Boolean).length;
    assert.match(qrcode, /^<svg /);
    assert.equal(qrcode.match(/M\d+,\d+/g)?.length, dark);

    assert.equal((await signIn()).answer.status, 200, 'nothing is confirmed yet');
    const confirmed = await get(`/api/v4/auth/validate_otp/${await generate({ secret })}/`);
    assert.deepEqual(confirmed.json.api_response, { success: true });
    const without = await signIn();
    assert.deepEqual([without.answer.status, without.answer.json.api_error_message], [401, 'Wrong OTP token']);
    const stored = await program.foundation.users.get('anna');
    assert.equal(JSON.stringify((await get('/api/v4/user/whoami/')).json).includes(String(stored?.otp_sk)), false);
  });
});
