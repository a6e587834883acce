import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABSENT, checkVersion, readVersion, versionOf } from './versions.ts';

describe('versions of documents', () => {
  it('name the index where rollover made it', () => {
    assert.equal(versionOf({ index: 'svc-hit_hot', seq: 7 }), '7---1');
    assert.equal(versionOf({ index: 'svc-hit_hot', seq: 7, term: 3 }), '7---3');
    assert.equal(versionOf({ index: 'svc-hit-000012', seq: 7, term: 3 }), 'svc-hit-000012---7---3');
    assert.equal(
      versionOf({ index: 'a-000001', seq: 9223372036854775807n, term: 1 }),
      'a-000001---9223372036854775807---1',
    );
  });

  it('are read back as they were written', () => {
    assert.deepEqual(readVersion('7---3', 'svc-hit'), { index: undefined, seq: '7', term: '3' });
    assert.deepEqual(readVersion('a---b-000001---7---3', 'svc-hit'), { index: 'a---b-000001', seq: '7', term: '3' });
    for (const text of [
      '',
      ABSENT,
      '7',
      '7---',
      '---7',
      '-7---1',
      '7---1---',
      'a---b',
      '7.0---1',
      '7---1 ',
      `${'7'.repeat(20)}---1`,
    ]) {
      assert.throws(() => readVersion(text, 'svc-hit'), { code: 'invalid_version' }, text);
    }
  });

  it('refuse a write whose condition the document does not meet', () => {
    const present = { index: 'svc-hit_hot', seq: 7, term: 2 };
    checkVersion(undefined, present, 'svc-hit', 'a');
    checkVersion('7---2', present, 'svc-hit', 'a');
    checkVersion(ABSENT, undefined, 'svc-hit', 'a');
    for (const [expected, found, code] of [
      ['7---1', present, 'version_conflict'],
      ['svc-hit-000001---7---2', present, 'version_conflict'],
      ['7---2', undefined, 'version_conflict'],
      [ABSENT, present, 'already_exists'],
      ['nonsense', present, 'invalid_version'],
    ] as const) {
      assert.throws(() => checkVersion(expected, found, 'svc-hit', 'a'), { code }, expected);
    }
  });
});
