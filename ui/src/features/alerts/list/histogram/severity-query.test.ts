import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { compileQuery } from '../../../../../../src/datastore/query-language/compile-query.ts';
import { matches } from '../../../../../../src/datastore/query-language/matches.ts';
import { hitDocument } from '../../../../../../src/documents/kinds/hit.ts';
import { severityOf } from '../../../../design/data/marks/severity.ts';
import { severityQuery } from './severity-query.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
const QUERIES = SEVERITIES.map((severity) => compileQuery(severityQuery(severity), hitDocument));

it('counts each alert to the severity of its row', () => {
  const whole = fc.constantFrom(-1, 0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 39, 40, 69, 70, 89, 90, 100, 1000);
  const decimal = fc.oneof(whole, fc.constantFrom(0.125, 0.5, 0.75, 0.9375, 1.5, 3.5, 6.5, 8.5, 9.5, 89.5));
  const rating = fc.record(
    {
      event: fc.record({ severity: whole, risk_score_norm: decimal, risk_score: decimal }, { requiredKeys: [] }),
      howler: fc.record(
        { severity: decimal, score: decimal, escalation: fc.constantFrom('miss', 'hit', 'alert', 'evidence') },
        { requiredKeys: ['escalation'] },
      ),
    },
    { requiredKeys: ['howler'] },
  );
  fc.assert(
    fc.property(rating, (alert) => {
      const found = SEVERITIES.filter((_, index) => {
        const query = QUERIES[index];
        return query !== undefined && matches(query, hitDocument, alert as never);
      });
      const severity = severityOf(alert);
      assert.deepEqual(found, severity === 'none' ? [] : [severity]);
    }),
    { numRuns: 1_000 },
  );
});
