import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkEmitSecret, DEFAULT_EMIT_SECRET } from './emit-secret.ts';

const OWN = 'correct-horse-battery';
const authorization = (text: string, scheme = 'Basic') => `${scheme} ${btoa(text)}`;
const from = (ip: string, headers: Record<string, string>) => ({ ip, headers });

describe('the secret of other programs', () => {
  it('is accepted with any scheme, from any address', () => {
    for (const scheme of ['Basic', 'Bearer', 'Anything']) {
      checkEmitSecret(OWN, from('192.0.2.1', { authorization: authorization(`x:${OWN}`, scheme) }));
    }
  });

  it('is refused when it is missing or wrong', () => {
    const check = (headers: Record<string, string>) => () => checkEmitSecret(OWN, from('127.0.0.1', headers));
    assert.throws(check({}), { code: 'no_emit_secret', message: 'Missing authorization header' });
    for (const text of ['x:wrong', `${OWN}:x`, OWN, 'x:', '', `x:${OWN} `, `x:${DEFAULT_EMIT_SECRET}`]) {
      assert.throws(check({ authorization: authorization(text) }), { code: 'wrong_emit_secret' }, text);
    }
    for (const header of ['', 'Basic', 'Basic %%%']) {
      assert.throws(check({ authorization: header }), { code: 'wrong_emit_secret' }, header);
    }
  });

  it('is accepted as the default from the same machine without a proxy only', () => {
    const sent = { authorization: authorization(`x:${DEFAULT_EMIT_SECRET}`) };
    for (const ip of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      checkEmitSecret(DEFAULT_EMIT_SECRET, from(ip, sent));
      for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'origin']) {
        const foreign = from(ip, { ...sent, [header]: '192.0.2.1' });
        assert.throws(() => checkEmitSecret(DEFAULT_EMIT_SECRET, foreign), { code: 'default_emit_secret' }, header);
        checkEmitSecret('own', { ...foreign, headers: { ...foreign.headers, authorization: authorization('x:own') } });
      }
    }
    for (const ip of ['192.0.2.1', '10.0.0.1', '2001:db8::1', '::ffff:192.0.2.1', '1127.0.0.1']) {
      assert.throws(() => checkEmitSecret(DEFAULT_EMIT_SECRET, from(ip, sent)), { code: 'default_emit_secret' }, ip);
    }
  });
});
