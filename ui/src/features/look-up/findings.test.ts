import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterRows, findingRows, readAnswerLine, sortRows, worstOpinions } from './findings.ts';
import type { Selector } from './text-rows.ts';

const line = (value: string, source: string, annotations: readonly unknown[]) => ({
  type: 'domain',
  value,
  source,
  result: { items: [{ annotations }] },
});
const opinion = (value: string) => ({ type: 'opinion', value, summary: `it is ${value}` });
const selector = (value: string, start: number): Selector => ({ type: 'domain', value, start, end: start + 1 });

describe('readAnswerLine', () => {
  it('reads statements, and errors of sources at the end', () => {
    const { findings } = readAnswerLine(
      line('a.org', 'lists', [opinion('malicious'), { type: 'frequency', value: 4 }]),
    );
    assert.deepEqual(
      findings.map(({ statement }) => statement),
      ['malicious', '4'],
    );
    const { errors } = readAnswerLine({
      done: true,
      sources: { lists: { latency: 1 }, facts: { error: 'Timed out.' } },
    });
    assert.deepEqual([...errors], [['facts', 'Timed out.']]);
  });
  it('leaves out what has another shape', () => {
    for (const odd of [
      null,
      3,
      'x',
      [],
      { result: { items: 4 } },
      { result: { items: [null, { annotations: {} }] } },
    ]) {
      assert.deepEqual(readAnswerLine(odd).findings, []);
    }
  });
});

describe('the rows of the table', () => {
  const selectors = [selector('a.org', 0), selector('b.org', 10), selector('c.org', 20)];
  const findings = [
    line('b.org', 'facts', [opinion('benign')]),
    line('b.org', 'lists', [opinion('malicious')]),
    line('c.org', 'alerts', [{ type: 'opinion', value: 'constructor' }]),
  ].flatMap((one) => readAnswerLine(one).findings);
  const rows = findingRows(selectors, findings, worstOpinions(findings));
  const shown = (some: typeof rows) =>
    some.map((row) => `${row.selector.value} ${row.finding?.source ?? '-'} ${row.opinion}`);

  it('have the opinion of the finding beside the worst one about its value', () => {
    assert.deepEqual(
      rows.map(({ selector: { value }, ownOpinion, opinion: worst }) => `${value} ${ownOpinion} ${worst}`),
      ['a.org none none', 'b.org malicious malicious', 'b.org benign malicious', 'c.org none none'],
    );
  });

  it('begin with the worst opinion and end with what nothing is known of', () => {
    assert.deepEqual(shown(sortRows(rows, 'opinion', false)), [
      'b.org lists malicious',
      'b.org facts malicious',
      'c.org alerts none',
      'a.org - none',
    ]);
  });
  it('are sorted by their other columns', () => {
    assert.deepEqual(shown(sortRows(rows, 'value', true))[0], 'a.org - none');
    assert.deepEqual(shown(sortRows(rows, 'source', false))[0], 'b.org lists malicious');
  });
  it('are filtered', () => {
    assert.deepEqual(shown(filterRows(rows, { source: 'facts' })), ['b.org facts malicious']);
    assert.equal(filterRows(rows, { opinion: 'none' }).length, 2);
    assert.equal(filterRows(rows, { type: 'ipv4' }).length, 0);
  });
});
