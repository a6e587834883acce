import assert from 'node:assert/strict';
import { it } from 'node:test';
import { annotationsOf } from './annotations.ts';

it('lists annotations of all sources, opinions first, and leaves out what has another shape', () => {
  const items = [
    {
      annotations: [
        { type: 'context', value: 'AS64500', summary: 'Network' },
        { type: 'opinion', value: 'malicious', summary: 'On a list', analytic: 'lists' },
        { type: 'frequency', value: 12 },
      ],
    },
    'odd',
    { annotations: 'odd' },
  ];
  const answer = { ipv4: { '203.0.113.7': { geo: { source: 'geo', items }, broken: { source: 'x', items: null } } } };
  assert.deepEqual(
    annotationsOf(answer).map(({ source, kind, value }) => [source, kind, value]),
    [
      ['lists', 'opinion', 'malicious'],
      ['geo', 'frequency', '12'],
      ['geo', 'context', 'AS64500'],
    ],
  );
  assert.deepEqual(annotationsOf(undefined), []);
});
