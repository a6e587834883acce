import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ASSESSMENT_LETTERS, ASSESSMENTS, commonSettings, validAssessments } from './assessments.ts';

it('gives each assessment a letter of its own', () => {
  assert.equal(new Set(Object.values(ASSESSMENT_LETTERS)).size, ASSESSMENTS.length);
});

it('keeps the order of the analytic, and leaves out names of later versions', () => {
  assert.deepEqual(validAssessments({ valid_assessments: ['recon', 'weird', 'legitimate'] }), ['recon', 'legitimate']);
  assert.equal(validAssessments({ valid_assessments: [] }).length, ASSESSMENTS.length);
  assert.equal(validAssessments(undefined).length, ASSESSMENTS.length);
});

it('allows for several analytics what all of them allow', () => {
  const common = commonSettings([
    { valid_assessments: ['recon', 'legitimate'], rationales: ['a', 'b'], skip_rationale: true },
    { valid_assessments: ['legitimate', 'attempt'], rationales: ['b', 'c'] },
  ]);
  assert.deepEqual(common, {
    valid_assessments: ['legitimate'],
    rationales: ['a', 'b', 'c'],
    skip_rationale: false,
  });
  assert.equal(commonSettings([]).skip_rationale, false);
});
