import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tallyOf } from './verdict-tally.ts';

it('counts verdicts, the most frequent first, and alerts that wait', () => {
  const rows = [
    { howler: { assessment: 'recon' } },
    {},
    { howler: { assessment: 'attempt' } },
    { howler: {} },
  ] as const;
  assert.deepEqual(tallyOf([...rows, { howler: { assessment: 'attempt' } }]), {
    verdicts: [
      { assessment: 'attempt', count: 2 },
      { assessment: 'recon', count: 1 },
    ],
    waiting: 2,
  });
});
