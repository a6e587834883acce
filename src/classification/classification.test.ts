import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { BRANCHES } from '../testing/branches-classification.ts';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from './builtin-definitions.ts';
import { type ClassificationEngine, loadClassification } from './classification.ts';

const tlp = loadClassification(stringify({ ...parse(DEFAULT_CLASSIFICATION), enforce: true }));
const demo = loadClassification(DEMO_CLASSIFICATION);
const branches = loadClassification(BRANCHES);
const branchesWith = (change: (definition: BranchesDefinition) => void): ClassificationEngine => {
  const definition = parse(BRANCHES) as BranchesDefinition;
  change(definition);
  return loadClassification(stringify(definition));
};
interface BranchesDefinition {
  dynamic_groups: boolean;
  dynamic_groups_type: string;
  groups: { auto_select?: boolean }[];
}

const refusal = (message: RegExp | string) => ({ code: 'invalid_classification', message });

describe('Traffic Light Protocol, enforced', () => {
  const normal: Record<string, string> = {
    'TLP:W': 'TLP:CLEAR',
    U: 'TLP:CLEAR',
    'tlp:g//cmr': 'TLP:GREEN//COMMERCIAL',
    RESTRICTED: 'TLP:AMBER+STRICT',
    'TLP:G//REL CSE': 'TLP:GREEN//REL TO CSE',
    'TLP:A+S//REL TO CSE/IR': 'TLP:AMBER+STRICT//REL TO CSE/IR TEAM',
    'TLP:G//IR': 'TLP:GREEN//IR TEAM',
    'TLP:G//CCCS': 'TLP:GREEN//REL TO CSE/CCCS',
  };
  for (const [text, expected] of Object.entries(normal)) {
    it(`normalises ${text} to ${expected}`, () => assert.equal(tlp.normalise(text), expected));
  }

  it('writes short names', () => assert.equal(tlp.normalise('TLP:AMBER//COMMERCIAL', { short: true }), 'TLP:A//CMR'));

  it('tells canonical texts from others', () => {
    assert.equal(tlp.isValid('TLP:W'), true);
    assert.equal(tlp.isValid('TLP:A//CMR'), true);
    assert.equal(tlp.isValid('tlp:g//cmr'), false);
    assert.equal(tlp.isValid('TLP:G//FOO'), false);
    assert.equal(tlp.isValid('TLP:G//REL CSE//CMR'), false);
  });

  it('refuses what it does not know', () => {
    assert.throws(() => tlp.normalise('TLP:G//CSE'), refusal('Unknown Subgroup: CSE'));
    assert.throws(() => tlp.normalise('TLP:G//FOO'), refusal('Unknown Subgroup: FOO'));
    assert.throws(() => tlp.normalise('TLP:G//REL TO FOO'), refusal('Unparsable classification parts: FOO'));
    assert.throws(
      () => tlp.normalise(''),
      refusal("Classification level '' was not found in your classification definition."),
    );
    assert.throws(
      () => tlp.normalise('TLP:X'),
      refusal("Classification level 'TLP:X' was not found in your classification definition."),
    );
    assert.throws(() => tlp.normalise('U'.repeat(5000)), refusal(/at most 4096/));
  });

  it('combines', () => {
    assert.equal(tlp.max('TLP:W', 'TLP:A//CMR'), 'TLP:AMBER//COMMERCIAL');
    assert.equal(tlp.min('TLP:A//CMR', 'TLP:G//CMR', { short: true }), 'TLP:G//CMR');
    assert.equal(tlp.buildUser('TLP:A', 'TLP:G//CMR'), 'TLP:AMBER//COMMERCIAL');
    assert.equal(tlp.intersectUser('TLP:A//CMR', 'TLP:G'), 'TLP:GREEN');
    assert.equal(tlp.max(undefined, 'tlp:a'), 'TLP:AMBER');
    assert.equal(tlp.min('tlp:a', ''), 'TLP:AMBER');
    assert.equal(tlp.max(null, null), 'TLP:CLEAR');
  });

  it('says who may see what', () => {
    assert.equal(tlp.isAccessible('TLP:A', 'TLP:A//CMR'), false);
    assert.equal(tlp.isAccessible('TLP:A//CMR', 'TLP:W'), true);
    assert.equal(tlp.isAccessible('TLP:G', 'TLP:G//REL CSE'), false);
    assert.equal(tlp.isAccessible('TLP:A', null), true);
    assert.throws(() => tlp.isAccessible('TLP:A', 'GARBO'), refusal(/GARBO/));
    // Everyone who sees the right one sees the left one.
    for (const [inner, outer, expected] of [
      ['TLP:C', 'TLP:G', true],
      ['TLP:G', 'TLP:C', false],
      ['TLP:G//CMR', 'TLP:A', false],
      ['TLP:G', 'TLP:A//CMR', true],
      ['TLP:G//REL CSE', 'TLP:G', false],
      ['TLP:G', 'TLP:G//REL CSE', true],
      ['TLP:G//REL CSE', 'TLP:A//REL CSE', true],
      ['GARBO', 'TLP:A', false],
    ] as const) {
      assert.equal(tlp.isWithin(inner, outer), expected, `${inner} ${outer}`);
    }
    assert.equal(tlp.isAccessible('TLP:A', 'GARBO', true), false);
  });

  it('gives the hidden fields of documents', () => {
    assert.deepEqual(tlp.accessParts('TLP:A//CMR'), access(120, ['CMR'], ['__EMPTY__'], ['__EMPTY__']));
    assert.deepEqual(tlp.accessParts('TLP:G//CCCS'), access(110, [], ['CSE'], ['CCCS']));
  });

  it('knows its ends', () => {
    assert.equal(tlp.unrestricted, 'TLP:CLEAR');
    assert.equal(tlp.restricted, 'TLP:AMBER+STRICT//COMMERCIAL');
  });
});

describe('dynamic groups', () => {
  const dynamic = loadClassification(
    stringify({ ...parse(DEFAULT_CLASSIFICATION), enforce: true, dynamic_groups: true, dynamic_groups_type: 'all' }),
  );

  it('are accepted in REL TO only', () => {
    assert.equal(dynamic.normalise('TLP:G//REL TO FOO'), 'TLP:GREEN//REL TO CSE, FOO');
    assert.equal(dynamic.normalise('TLP:G//REL TO FOO', { skipAutoSelect: true }), 'TLP:GREEN//REL TO FOO');
    assert.throws(() => dynamic.normalise('TLP:G//FOO'), refusal('Unknown Subgroup: FOO'));
  });

  it('come to a user from the domain of the address and the groups of the account', () => {
    const user = { email: 'ada@example.org', groups: ['night_shift', 'a/b'] };
    assert.equal(dynamic.withDynamicGroups('TLP:G', user), 'TLP:GREEN//REL TO EXAMPLE.ORG, NIGHT_SHIFT');
    assert.equal(tlp.withDynamicGroups('TLP:G', user), 'TLP:G');
  });
});

describe('a scheme with every kind of mark', () => {
  const normal: readonly (readonly [string, string, string?])[] = [
    [
      'L1//REL A, B/ORCON/NOCON',
      'L1//NOCON/ORCON/REL A, B',
      'LEVEL 1//NO CONTRACTORS/ORIGINATOR CONTROLLED/REL TO GROUP A, GROUP B',
    ],
    ['L0//REL B, A', 'L0//REL A, B'],
    ['L1//R2', 'L1//XX/R2', 'LEVEL 1//XX/RESERVE TWO'],
    ['L1//R3/REL X', 'L1//XX/R3'],
    ['L1//LE//AC', 'L1//AC/LE'],
    ['L1//LEGAL/ACC', 'L1//AC/LE'],
    ['L1//R0', 'L1//R1'],
    ['L2//XX', 'L2//XX'],
    ['L1//REL X/R1', 'L1//XX/R1'],
  ];
  for (const [text, short, long] of normal) {
    it(`normalises ${text} to ${short}`, () => {
      assert.equal(branches.normalise(text, { short: true }), short);
      if (long !== undefined) assert.equal(branches.normalise(text), long);
    });
  }

  it('refuses groups beside a limited subgroup, and garbage', () => {
    assert.throws(() => branches.normalise('L1//R3/REL A'), refusal('Subgroup R3 is limited to group X (found: A)'));
    assert.throws(() => branches.normalise('L1//REL A/B'), refusal(/Unknown Subgroup: B/));
    assert.throws(() => branches.normalise('GARBO'), refusal(/GARBO/));
  });

  it('lets a user be in other groups beside a limited subgroup', () => {
    const clearance = branches.buildUser('L2//REL X/R3', 'L2//REL A');
    assert.equal(branches.isAccessible(clearance, 'L1//REL X/R3'), true);
    assert.equal(branches.isAccessible(clearance, 'L1//REL A'), true);
    assert.equal(branches.normalise(clearance, { skipAutoSelect: true }), clearance);
  });

  // max and min in short form; a pattern: refused with it.
  const pairs: readonly (readonly [string, string, string | RegExp, string])[] = [
    ['L0//REL A, B', 'L0//REL A', 'L0//REL A', 'L0//REL A, B'],
    [
      'L0//REL B',
      'L0//REL A',
      /^Could not find any intersection between the groups\. \['B'\] & \['A'\]$/,
      'L0//REL A, B',
    ],
    ['L0//REL A', 'L0', 'L0//REL A', 'L0'],
    ['L1//LE', 'L0//AC', 'L1//AC/LE', 'L0'],
    ['L0//R1', 'L0//R2', /intersection between the subgroups/, 'L0//XX/R1/R2'],
    ['L0//R1/R2', 'L1//R1/R2', 'L1//XX/R1/R2', 'L0//XX/R1/R2'],
    ['L0//ORCON', 'L0//NOCON', 'L0//NOCON/ORCON', 'L0'],
  ];
  for (const [left, right, max, min] of pairs) {
    it(`combines ${left} and ${right}`, () => {
      const short = { short: true };
      if (typeof max === 'string') assert.equal(branches.max(left, right, short), max);
      else assert.throws(() => branches.max(left, right, short), refusal(max));
      assert.equal(branches.min(left, right, short), min);
    });
  }

  const decisions: readonly (readonly [string, string, boolean])[] = [
    ['L2//REL B', 'L2//REL A, B', true],
    ['L2', 'L2//REL A', false],
    ['L2//LE', 'L2//LE/AC', false],
    ['L2//LE/AC', 'L2//LE', true],
    ['L2//REL X', 'L1//R2', false],
    ['L2//R2', 'L1//R1/R2', true],
    ['L2//REL A', 'L2', true],
  ];
  for (const [user, text, expected] of decisions) {
    it(`${expected ? 'shows' : 'hides'} ${text} ${expected ? 'to' : 'from'} ${user}`, () =>
      assert.equal(branches.isAccessible(user, text), expected));
  }

  it('builds and intersects clearances', () => {
    assert.equal(branches.buildUser('L1//R1', 'L2//REL X/R2', { short: true }), 'L2//XX/R1/R2');
    assert.equal(branches.intersectUser('L1//R1', 'L2//REL X/R2', { short: true }), 'L1');
  });

  it('gives hidden fields by short names', () => {
    assert.deepEqual(branches.accessParts('L1//LE/AC//REL A'), access(5, ['AC', 'LE'], ['A'], ['__EMPTY__']));
    assert.deepEqual(branches.accessParts('L1//R2'), access(5, [], ['X'], ['R2']));
  });
});

describe('a group that selects itself', () => {
  const engine = branchesWith((definition) => {
    if (definition.groups[0]) definition.groups[0].auto_select = true;
  });
  const short = { short: true };

  it('is added as soon as a group is named, and never to a bare level', () => {
    assert.equal(engine.normalise('L0//REL B', short), 'L0//REL A, B');
    assert.equal(engine.normalise('L1//REL X', short), 'L1//REL A, X');
    assert.equal(engine.normalise('L0', short), 'L0');
  });

  it('is not added to clearances', () => {
    assert.equal(engine.normalise('L0//REL B', { ...short, skipAutoSelect: true }), 'L0//REL B');
    assert.equal(engine.normalise('L1//REL X', { ...short, skipAutoSelect: true }), 'L1//XX');
    assert.deepEqual(engine.accessParts('L0//REL B').__access_grp1__, ['A', 'B']);
    assert.deepEqual(engine.accessParts('L0//REL B', { user: true }).__access_grp1__, ['B']);
  });

  it('is not added while access is decided', () => assert.equal(engine.isAccessible('L2//REL A', 'L0//REL B'), false));

  it('keeps normal forms readable beside a limited subgroup', () => {
    const once = engine.normalise('L1//REL X/R3', short);
    assert.equal(once, 'L1//REL A, X/R3');
    assert.equal(engine.normalise(once, short), once);
  });
});

describe('the demo definition', () => {
  it('normalises', () => {
    assert.equal(demo.normalise('R//GOD//ANY'), 'RESTRICTED//ADMIN//ANY');
    assert.equal(demo.normalise('UNRESTRICTED//G1'), 'UNRESTRICTED//ANY/GROUP 1');
    assert.equal(demo.normalise('DO NOT LOOK'), 'RESTRICTED');
    assert.equal(demo.normalise('U//REL D1, D2', { short: true }), 'U//REL DEPTS');
  });

  it('raises the level to what a mark asks for', () => {
    assert.equal(demo.normalise('U//SU'), 'RESTRICTED//SUPER USER');
    assert.equal(demo.accessParts('U//SU').__access_lvl__, 200);
  });

  it('refuses an alias of several groups outside REL TO', () =>
    assert.throws(() => demo.normalise('U//DEPTS'), refusal(/several groups/)));
});

describe('a definition that is not enforced', () => {
  const engine = loadClassification();

  it('shows everything to everyone and keeps levels', () => {
    assert.equal(engine.enforce, false);
    assert.equal(engine.isAccessible('TLP:C', 'TLP:A+S//CMR'), true);
    assert.equal(engine.isAccessible('garbage', 'more garbage'), true);
    assert.equal(engine.isValid('garbage'), true);
    assert.equal(engine.normalise('tlp:a'), 'TLP:AMBER');
    assert.equal(engine.normalise('garbage'), 'TLP:CLEAR');
    assert.equal(engine.accessParts('tlp:a').__access_lvl__, 120);
    assert.equal(engine.restricted, 'TLP:AMBER+STRICT//COMMERCIAL');
  });

  it('can be read the other way by an engine of the same definition', () => {
    const engine = loadClassification();
    const constant = engine.whenNotEnforced('unrestricted');
    assert.equal(engine.whenNotEnforced('keep'), engine);
    assert.equal(constant.whenNotEnforced('unrestricted'), constant);
    assert.equal(constant.normalise('TLP:A'), 'TLP:C');
    assert.equal(constant.whenNotEnforced('keep').normalise('TLP:A'), 'TLP:AMBER');
    const enforced = loadClassification(DEMO_CLASSIFICATION);
    assert.equal(enforced.whenNotEnforced('unrestricted'), enforced);
  });

  it('can make every text the literal unrestricted one', () => {
    const constant = loadClassification(undefined, undefined, { whenNotEnforced: 'unrestricted' });
    assert.equal(constant.unrestricted, 'TLP:C');
    assert.equal(constant.restricted, 'TLP:C');
    for (const text of ['TLP:A', 'garbage', '']) {
      assert.equal(constant.normalise(text), 'TLP:C');
      assert.equal(constant.max(text, 'TLP:A'), 'TLP:C');
      assert.equal(constant.min(text, 'TLP:A'), 'TLP:C');
      assert.equal(constant.buildUser(text, 'TLP:A'), 'TLP:C');
      assert.equal(constant.intersectUser(text, 'TLP:A'), 'TLP:C');
      assert.equal(constant.isValid(text), true);
      assert.equal(constant.isAccessible(text, 'TLP:A'), true);
      assert.deepEqual(constant.accessParts(text), access(100, [], ['__EMPTY__'], ['__EMPTY__']));
    }
  });
});

function access(level: number, required: string[], groups: string[], subgroups: string[]) {
  return { __access_lvl__: level, __access_req__: required, __access_grp1__: groups, __access_grp2__: subgroups };
}
