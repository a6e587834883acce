import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rolesOfPrivileges } from '../../identity/accounts/effective-roles.ts';
import type { AnalysisKey } from '../../identity/keys/analysis-api-keys.ts';
import { readInput } from '../../testing/read-input.ts';
import { listedKeyRoles } from '../operations/listed-roles.ts';
import { ApiKeyQuery, searchApiKeys } from './api-key-search.ts';

const aKey = (key_name: string, uname: string, more: Partial<AnalysisKey> = {}): AnalysisKey => ({
  ...{ id: `${key_name}+${uname}`, key_name, uname, acl: ['R'], roles: ['file_detail'] },
  ...{ creation_date: '2026-01-02T03:04:05.000000Z', expiry_ts: null, last_used: null },
  ...more,
});

const KEYS = [
  aKey('script', 'grace', { expiry_ts: '2027-01-01T00:00:00.000000Z' }),
  aKey('devkey', 'grace', { acl: ['R', 'W'], expiry_ts: '2026-06-01T00:00:00.000000Z' }),
  aKey('devkey', 'ada', { acl: ['C'], roles: ['administration'] }),
];

const search = (args: object) => searchApiKeys(KEYS, readInput(ApiKeyQuery, args));
const ids = (args: object) => search(args).items.map(({ id }) => id);

describe('searching among API keys', () => {
  it('finds all without a query, by identifier, a hundred at a time', () => {
    const found = search({});
    assert.deepEqual([found.total, found.offset, found.rows], [3, 0, 100]);
    assert.deepEqual(ids({}), ['devkey+ada', 'devkey+grace', 'script+grace']);
    assert.deepEqual(found.items[0], KEYS[2]);
  });

  it('understands queries on every field', () => {
    assert.deepEqual(ids({ query: 'uname:grace AND key_name:devkey' }), ['devkey+grace']);
    assert.deepEqual(ids({ query: 'id:"script+grace"' }), ['script+grace']);
    assert.deepEqual(ids({ query: 'acl:W OR roles:administration' }), ['devkey+ada', 'devkey+grace']);
    assert.deepEqual(ids({ query: 'expiry_ts:[* TO 2026-12-31]' }), ['devkey+grace']);
    assert.deepEqual(ids({ query: 'NOT _exists_:expiry_ts' }), ['devkey+ada']);
    assert.deepEqual(ids({ query: '*' }).length, 3);
    assert.deepEqual(ids({ query: 'ada' }), ['devkey+ada']);
    assert.deepEqual(ids({ query: 'password:*' }), []);
    assert.throws(() => ids({ query: 'uname:(' }), { code: 'invalid_query' });
  });

  it('sorts, those without a value last, and shows a part', () => {
    assert.deepEqual(ids({ sort: 'expiry_ts desc' }), ['script+grace', 'devkey+grace', 'devkey+ada']);
    assert.deepEqual(ids({ sort: 'expiry_ts asc' }), ['devkey+grace', 'script+grace', 'devkey+ada']);
    assert.deepEqual(ids({ sort: 'key_name asc, uname desc' }), ['devkey+grace', 'devkey+ada', 'script+grace']);
    assert.deepEqual(search({ fl: 'key_name, uname', offset: '1', rows: '1' }), {
      items: [{ key_name: 'devkey', uname: 'grace' }],
      ...{ offset: 1, rows: 1, total: 3 },
    });
  });

  it('refuses what is not a number and no field', () => {
    for (const args of [{ rows: '-1' }, { rows: '10001' }, { offset: 'x' }, { offset: '1.5' }]) {
      assert.throws(() => ids(args), { code: 'invalid_argument' }, JSON.stringify(args));
    }
    assert.throws(() => ids({ sort: 'id' }), { code: 'invalid_sort' });
    assert.throws(() => ids({ sort: 'password asc' }), { code: 'unknown_sort_field' });
  });
});

describe('roles of keys as they are listed', () => {
  it('are the same roles, in the order of the public system', () => {
    for (const roles of [rolesOfPrivileges(['R']), rolesOfPrivileges(['R', 'W']), rolesOfPrivileges(['R', 'W', 'E'])]) {
      assert.deepEqual(listedKeyRoles(roles).toSorted(), roles.toSorted());
    }
    assert.equal(listedKeyRoles(rolesOfPrivileges(['R']))[0], 'signature_download');
    assert.equal(listedKeyRoles(rolesOfPrivileges(['R', 'W']))[0], 'archive_view');
    assert.equal(listedKeyRoles(['administration', 'archive_view'])[1], 'administration');
  });
});
