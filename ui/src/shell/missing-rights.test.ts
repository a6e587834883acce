import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Translate } from '../i18n/translation.ts';
import { missingRight } from './missing-rights.ts';

const t: Translate = (key, values = {}) => [key, ...Object.values(values)].join(' | ');
const words = (code: string, needs: readonly string[], key: string | null) =>
  missingRight({ code, needs }, { key, privileges: ['R', 'W'] }, t, 'en');

describe('the right that a session lacks', () => {
  it('is one of the key that opened it', () => {
    assert.equal(
      words('missing_privilege', ['W', 'E'], 'reader'),
      'shell.rights.key | reader | settings.keys.privilege.R and settings.keys.privilege.W | settings.keys.privilege.W or settings.keys.privilege.E',
    );
    assert.equal(words('privilege_not_held', [], 'reader'), 'shell.rights.fullScope | reader');
  });

  it('is one that an account lacks', () => {
    assert.equal(words('missing_privilege', ['X'], null), 'shell.rights.privilege | X');
    assert.equal(words('missing_role', ['admin'], null), 'shell.rights.role | admin');
  });

  it('is left to the words of the server where those say more', () => {
    assert.equal(words('not_own_account', [], 'reader'), undefined);
    assert.equal(words('missing_privilege', [], 'reader'), undefined, 'no privilege would do');
    assert.equal(words('privilege_not_held', [], null), undefined);
  });
});
