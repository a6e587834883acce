import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { narrowLines } from './narrow-lines.ts';
import { SPECIAL_COLUMNS } from './special-columns.ts';

describe('the two lines of a row', () => {
  it('say which alert and when, then about what, how far and with whom', () => {
    assert.deepEqual(narrowLines(SPECIAL_COLUMNS), {
      first: ['severity', 'analytic', 'time'],
      second: ['outline', 'status', 'assignee'],
    });
  });

  it('hold the fields of the reader in their order, and no column that was not chosen', () => {
    assert.deepEqual(narrowLines(['source.ip', 'time', 'outline', 'host.name', 'analytic', 'labels']), {
      first: ['analytic', 'time'],
      second: ['source.ip', 'outline', 'host.name'],
    });
  });

  it('have the first value above where there is no analytic', () => {
    assert.deepEqual(narrowLines(['severity', 'time', 'source.ip', 'outline', 'assignee']), {
      first: ['severity', 'source.ip', 'time'],
      second: ['outline', 'assignee'],
    });
    assert.deepEqual(narrowLines(['labels']), { first: [], second: [] });
    assert.deepEqual(narrowLines([]), { first: [], second: [] });
  });
});
