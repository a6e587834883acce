import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAuthorization, readImpersonation } from './credentials.ts';

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

describe('readAuthorization', () => {
  it('splits Basic at the first colon', () => {
    assert.deepEqual(readAuthorization(`Basic ${base64('ada:key:se:cret')}`), {
      kind: 'basic',
      username: 'ada',
      rest: 'key:se:cret',
    });
    assert.deepEqual(readAuthorization(`Basic ${base64(':')}`), { kind: 'basic', username: '', rest: '' });
    assert.deepEqual(readAuthorization(`Basic ${base64('ä:ö')}`), { kind: 'basic', username: 'ä', rest: 'ö' });
  });

  it('tells app tokens from JSON Web Tokens, also for users with a dot in their name', () => {
    const token = { kind: 'app_token', username: 'ada.lovelace', secret: 'abc' };
    assert.deepEqual(readAuthorization('Bearer ada.lovelace:abc'), token);
    assert.deepEqual(readAuthorization('Bearer a.b.c'), { kind: 'json_web_token', token: 'a.b.c' });
  });

  const refusals: readonly (readonly [string | undefined, string, string])[] = [
    [undefined, 'no_credentials', 'No Authorization header present'],
    ['', 'no_credentials', 'No Authorization header present'],
    ['Basic', 'malformed_authorization', 'Incorrectly formatted Authorization header'],
    ['Basic  x', 'malformed_authorization', 'Incorrectly formatted Authorization header'],
    ['Basic a b', 'malformed_authorization', 'Incorrectly formatted Authorization header'],
    ['Bearer', 'malformed_authorization', 'Incorrectly formatted Authorization header'],
    ['BasicYWRtaW46YWRtaW4=', 'malformed_authorization', 'Incorrectly formatted Authorization header'],
    ['basic YWRtaW46YWRtaW4=', 'unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.'],
    ['Digest abc', 'unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.'],
    ['Basic %%%', 'malformed_authorization', 'Basic authentication data must be base64 encoded'],
    [
      `Basic ${base64(Uint8Array.of(0xff, 0x3a))}`,
      'malformed_authorization',
      'Basic authentication data must be base64 encoded',
    ],
    [
      `Basic ${base64('no colon')}`,
      'malformed_authorization',
      'Basic authentication data must hold a user name, a colon and a password or API key',
    ],
    ['Bearer abcdef', 'malformed_authorization', 'A bearer token is either <user>:<token> or a JSON Web Token'],
  ];
  for (const [header, code, message] of refusals) {
    it(`refuses ${header === undefined ? 'a missing header' : `"${header}"`}`, () =>
      assert.throws(() => readAuthorization(header), { code, message }));
  }
});

describe('readImpersonation', () => {
  it('reads Basic alone', () => {
    assert.deepEqual(readImpersonation(`Basic ${base64('huey:key:secret')}`), { username: 'huey', rest: 'key:secret' });
    assert.throws(() => readImpersonation('Bearer x'), {
      code: 'unknown_authorization_scheme',
      message: 'Not a valid authentication type for impersonation.',
    });
    assert.throws(() => readImpersonation('Basic'), { code: 'malformed_authorization' });
  });
});
