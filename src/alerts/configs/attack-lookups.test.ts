import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attackLookups } from './attack-lookups.ts';

describe('the lists of ATT&CK', () => {
  it('have the tactics and techniques of the table, revoked ones included', () => {
    const table = [
      '# a comment',
      'G0001\tCrew',
      'S0001\tWorm\tmalware\tT1000',
      'T1000\tLeft\t>T1001.002',
      'T1001.002\tNew name\tpersistence',
      'TA0001\tInitial Access',
      '',
    ].join('\n');
    assert.deepEqual(attackLookups(table), {
      tactics: {
        TA0001: { key: 'TA0001', name: 'Initial Access', url: 'https://attack.mitre.org/tactics/TA0001' },
      },
      techniques: {
        T1000: { key: 'T1000', name: 'Left', url: 'https://attack.mitre.org/techniques/T1000' },
        'T1001.002': { key: 'T1001.002', name: 'New name', url: 'https://attack.mitre.org/techniques/T1001/002' },
      },
    });
  });
});
