import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attackLookups, attackTable, type StixBundle } from './attack-table.ts';

const reference = (external_id: string, source_name = 'mitre-attack') => ({ source_name, external_id });
const BUNDLE: StixBundle = {
  objects: [
    { type: 'x-mitre-collection', name: 'Enterprise ATT&CK', x_mitre_version: '1.0' },
    { type: 'marking-definition', definition: { statement: 'Copyright of the owner.' } },
    {
      type: 'x-mitre-tactic',
      name: 'Initial Access',
      modified: '2001-02-03T04:05:06.000Z',
      external_references: [reference('TA0001')],
    },
    {
      type: 'attack-pattern',
      name: 'New name',
      external_references: [reference('C-1', 'capec'), reference('T1001.002')],
    },
    { type: 'attack-pattern', name: 'Old name', revoked: true, external_references: [reference('T1001.002')] },
    { type: 'attack-pattern', name: 'Left', revoked: true, external_references: [reference('T1000')] },
    { type: 'malware', name: 'Not listed', external_references: [reference('S0001')] },
  ],
};

describe('the table of tactics and techniques', () => {
  it('has a line for each, after source and licence', () => {
    const lines = attackTable([BUNDLE]).trimEnd().split('\n');
    assert.equal(lines[0], '# MITRE ATT&CK 1.0, last changed 2001-02-03. Written by scripts/attack-table.mjs.');
    assert.ok(lines.some((line) => line.startsWith('# © 2001 The MITRE Corporation. This work is reproduced')));
    assert.ok(lines.includes('# Copyright of the owner.'));
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('#')),
      ['T1000\tLeft', 'T1001.002\tNew name', 'TA0001\tInitial Access'],
    );
  });

  it('is read into the lists that the web interface shows', () => {
    assert.deepEqual(attackLookups(attackTable([BUNDLE])), {
      tactics: {
        TA0001: { key: 'TA0001', name: 'Initial Access', url: 'https://attack.mitre.org/tactics/TA0001' },
      },
      techniques: {
        T1000: { key: 'T1000', name: 'Left', url: 'https://attack.mitre.org/techniques/T1000' },
        'T1001.002': { key: 'T1001.002', name: 'New name', url: 'https://attack.mitre.org/techniques/T1001/002' },
      },
    });
  });

  it('is not made of another file', () => {
    assert.throws(() => attackTable([{ objects: [] }]), /no tactics or techniques/);
  });

  it('is made of a bundle for each object, with a version', () => {
    const single = BUNDLE.objects
      .filter(({ type }) => type !== 'x-mitre-collection')
      .map((object) => ({ objects: [object] }));
    assert.equal(attackTable(single, '1.0'), attackTable([BUNDLE]));
    assert.throws(() => attackTable(single), /version of ATT&CK is not known/);
  });
});
