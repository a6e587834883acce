import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presented } from '../testing/identity/presented-credentials.ts';
import {
  missingAuthorization,
  readAppToken,
  readBasic,
  readImpersonation,
  readJsonWebToken,
} from './credential-rows.ts';

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

describe('the header Authorization', () => {
  it('holds Basic, split at the first colon', () => {
    assert.deepEqual(readBasic(`Basic ${base64('ada:key:se:cret')}`), { username: 'ada', rest: 'key:se:cret' });
    assert.deepEqual(readBasic(`Basic ${base64(':')}`), { username: '', rest: '' });
    assert.deepEqual(readBasic(`Basic ${base64('ä:ö')}`), { username: 'ä', rest: 'ö' });
  });

  it('holds app tokens and JSON Web Tokens, app tokens also of users with a dot in their name', () => {
    assert.deepEqual(readAppToken('Bearer ada.lovelace:abc'), { username: 'ada.lovelace', secret: 'abc' });
    assert.equal(readAppToken('Bearer a.b.c'), undefined);
    assert.equal(readJsonWebToken('Bearer a.b.c'), 'a.b.c');
    for (const read of [readAppToken, readJsonWebToken]) assert.equal(read(`Basic ${base64('ada:b.c')}`), undefined);
    assert.equal(readBasic('Bearer a.b.c'), undefined);
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
      assert.throws(() => readAny(header), { code, message }));
  }
});

/** Reads the header as the alert service does. */
function readAny(header: string | undefined): unknown {
  const credential = readBasic(header) ?? readAppToken(header) ?? readJsonWebToken(header);
  if (credential !== undefined) return credential;
  const missing = missingAuthorization('A bearer token is either <user>:<token> or a JSON Web Token');
  throw missing(presented({ authorization: header })).error;
}

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
