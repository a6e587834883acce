import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attackTable, type StixBundle } from './attack-table.ts';

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
      id: 'attack-pattern--new',
      external_references: [reference('C-1', 'capec'), reference('T1001.002')],
      kill_chain_phases: [{ phase_name: 'persistence' }, { phase_name: 'impact' }],
    },
    { type: 'attack-pattern', name: 'Old name', revoked: true, external_references: [reference('T1001.002')] },
    {
      type: 'attack-pattern',
      id: 'attack-pattern--left',
      name: 'Left',
      revoked: true,
      external_references: [reference('T1000')],
    },
    { type: 'attack-pattern', name: 'Gone', revoked: true, external_references: [reference('T1002')] },
    { type: 'malware', id: 'malware--one', name: 'Worm', external_references: [reference('S0001')] },
    { type: 'intrusion-set', name: 'Crew', external_references: [reference('G0001')] },
    { type: 'campaign', name: 'Not listed', external_references: [reference('C0001')] },
    {
      type: 'relationship',
      relationship_type: 'revoked-by',
      source_ref: 'attack-pattern--left',
      target_ref: 'attack-pattern--new',
    },
    { type: 'relationship', relationship_type: 'uses', source_ref: 'malware--one', target_ref: 'attack-pattern--new' },
  ],
};

describe('the table of ATT&CK', () => {
  it('has a line for each, after source and licence', () => {
    const lines = attackTable([BUNDLE]).trimEnd().split('\n');
    assert.equal(lines[0], '# MITRE ATT&CK 1.0, last changed 2001-02-03. Written by scripts/attack-table.mjs.');
    assert.ok(lines.some((line) => line.startsWith('# © 2001 The MITRE Corporation. This work is reproduced')));
    assert.ok(lines.includes('# Copyright of the owner.'));
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('#')),
      [
        'G0001\tCrew',
        'S0001\tWorm\tmalware\tT1001.002',
        'T1000\tLeft\t>T1001.002',
        'T1001.002\tNew name\tpersistence,impact',
        'T1002\tGone\t>',
        'TA0001\tInitial Access',
      ],
    );
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
