import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AttackCatalogue, attackCatalogue } from './attack-catalogue.ts';

const TABLE = [
  '# comment\twith a tab',
  'G0001\tCrew',
  'S0001\tWorm\tmalware\tT1000,T1002',
  'S0002\tWrench\ttool\tT1002',
  'T1000\tLeft\t>T1001',
  'T1001\tNew\tpersistence,impact',
  'T1002\tOther\timpact',
  'T1003\tGone\t>',
  'TA0001\tImpact',
].join('\n');

describe('AttackCatalogue', () => {
  const catalogue = new AttackCatalogue([TABLE]);
  const idsOf = (ids: readonly string[]) => catalogue.map(ids).entries.map((entry) => entry.attack_id);

  it('names techniques with their tactics, and revoked ones by their successor', () => {
    const entry = { attack_id: 'T1001', pattern: 'New', categories: ['persistence', 'impact'] };
    assert.deepEqual(catalogue.map(['T1000']), { entries: [entry], tags: [] });
    assert.deepEqual(idsOf(['T1001', 'T1000', 'T1001']), ['T1001']);
  });

  it('leaves out what it does not know, and what was revoked without a successor', () => {
    assert.deepEqual(catalogue.map(['T9999', 'T1003', 'TA0001', '', 'constructor', '# comment']), {
      entries: [],
      tags: [],
    });
  });

  it('adds the techniques of software, and the implant for malware alone', () => {
    assert.deepEqual(idsOf(['S0001']), ['S0001', 'T1001', 'T1002']);
    assert.deepEqual(catalogue.map(['S0001']).tags, [{ type: 'attribution.implant', value: 'WORM' }]);
    assert.deepEqual(catalogue.map(['S0002']).tags, []);
    assert.deepEqual(catalogue.map(['S0002']).entries[0], {
      attack_id: 'S0002',
      pattern: 'Wrench',
      categories: ['software'],
    });
  });

  it('adds the actor for a group', () => {
    assert.deepEqual(catalogue.map(['G0001']), {
      entries: [{ attack_id: 'G0001', pattern: 'Crew', categories: ['group'] }],
      tags: [{ type: 'attribution.actor', value: 'CREW' }],
    });
  });

  it('knows the tables of the program', () => {
    const { entries, tags } = attackCatalogue().map(['T1027', 'T1002', 'G0016', 'T1404']);
    assert.deepEqual(
      entries.map((entry) => [entry.attack_id, entry.categories]),
      [
        ['G0016', ['group']],
        ['T1027', ['defense-evasion']],
        ['T1404', ['privilege-escalation']],
        ['T1560', ['collection']],
      ],
    );
    assert.deepEqual(tags, [{ type: 'attribution.actor', value: 'APT29' }]);
  });
});
