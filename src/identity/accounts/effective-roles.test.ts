import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import { analysisTypesOf, effectiveRoles, ROLES_OF_TYPE, rolesOfKey, rolesOfPrivileges } from './effective-roles.ts';

const FOR_ADMINISTRATORS = [
  'administration',
  'assistant_use',
  'file_purge',
  'replay_system',
  'signature_import',
  'signature_manage',
];

describe('roles at the analysis service', () => {
  it('are all 37 for administrators, and all but six for users', () => {
    assert.equal(new Set(ROLES_OF_TYPE.admin).size, 37);
    assert.deepEqual(
      ANALYSIS_ROLES.filter((role) => !ROLES_OF_TYPE.user.includes(role)).toSorted(),
      FOR_ADMINISTRATORS,
    );
    assert.equal(ROLES_OF_TYPE.signature_manager.length, ROLES_OF_TYPE.user.length + 1);
  });

  it('are those of all kinds that an account is of; kinds of the alert service give none', () => {
    const submitter = { type: ['automation_basic' as const], analysis_types: ['submitter' as const] };
    assert.deepEqual(analysisTypesOf(submitter), ['submitter']);
    assert.deepEqual(effectiveRoles(submitter).toSorted(), ROLES_OF_TYPE.submitter.toSorted());
    const both = { type: [], analysis_types: ['submitter' as const, 'viewer' as const] };
    assert.ok(effectiveRoles(both).includes('submission_create') && effectiveRoles(both).includes('alert_view'));
    assert.deepEqual(effectiveRoles({ type: ['actionrunner_basic'] }), []);
  });

  it('are those given one by one, when there are any', () => {
    assert.deepEqual(effectiveRoles({ type: ['admin'], roles: ['alert_view'] }), ['alert_view']);
    assert.equal(effectiveRoles({ type: ['admin'], roles: [] }).length, 37);
    assert.deepEqual(effectiveRoles({ type: [], analysis_types: ['custom'], roles: [] }), []);
  });

  it('are split among the privileges of keys, but for two that no key has', () => {
    const [reading, writing, extended] = ['R', 'W', 'E'].map((letter) => rolesOfPrivileges([letter]));
    assert.deepEqual([reading?.length, writing?.length, extended?.length], [15, 11, 9]);
    const held = new Set(rolesOfPrivileges(['R', 'W', 'E']));
    assert.deepEqual(
      ANALYSIS_ROLES.filter((role) => !held.has(role)),
      ['archive_comment', 'assistant_use'],
    );
    assert.deepEqual(rolesOfPrivileges(['I']), []);
  });

  it('of a key are those chosen one by one, else those of its privileges', () => {
    assert.deepEqual(rolesOfKey({ acl: [], roles: ['file_detail', 'no such role'] }), ['file_detail']);
    assert.equal(rolesOfKey({ acl: ['R'] }).length, 15);
    assert.equal(rolesOfKey({ acl: ['R'], roles: ['administration'] }).length, 15);
    assert.deepEqual(rolesOfKey({ acl: [] }), []);
  });
});
