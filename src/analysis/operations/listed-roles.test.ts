import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANALYSIS_ROLES, ANALYSIS_ROLES_OF_PRIVILEGES } from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_TYPES, ROLES_OF_TYPE } from '../../identity/accounts/effective-roles.ts';
import { LISTED_ROLES, LISTED_ROLES_OF_PRIVILEGE, LISTED_ROLES_OF_TYPE } from './listed-roles.ts';

describe('the roles that clients are told of', () => {
  it('are those that are obeyed', () => {
    assert.deepEqual([...LISTED_ROLES].sort(), [...ANALYSIS_ROLES].sort());
    assert.deepEqual([...Object.keys(LISTED_ROLES_OF_TYPE), 'custom'].sort(), [...ANALYSIS_TYPES].sort());
    const sorted = (lists: object) => Object.entries(lists).map(([key, roles]) => [key, [...roles].sort()]);
    assert.deepEqual(sorted(LISTED_ROLES_OF_PRIVILEGE), sorted(ANALYSIS_ROLES_OF_PRIVILEGES));
    for (const [type, roles] of Object.entries(LISTED_ROLES_OF_TYPE)) {
      assert.deepEqual([...roles].sort(), [...ROLES_OF_TYPE[type as keyof typeof ROLES_OF_TYPE]].sort(), type);
    }
  });
});
