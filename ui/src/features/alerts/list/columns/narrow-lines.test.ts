import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { narrowLines } from './narrow-lines.ts';
import { SPECIAL_COLUMNS } from './special-columns.ts';

const linesOf = (columns: readonly string[]) => {
  const { first, second } = narrowLines(columns);
  return { first, second };
};

describe('the two lines of an alert', () => {
  it('say which alert and when, then about what, how far and with whom', () => {
    assert.deepEqual(linesOf(SPECIAL_COLUMNS), {
      first: ['severity', 'analytic', 'time'],
      second: ['outline', 'status', 'assignee'],
    });
  });

  it('hold the fields of the reader in their order, and no column that was not chosen', () => {
    assert.deepEqual(linesOf(['source.ip', 'time', 'outline', 'host.name', 'analytic', 'labels']), {
      first: ['analytic', 'time'],
      second: ['source.ip', 'outline', 'host.name'],
    });
  });

  it('name the fields of the reader, and no others', () => {
    assert.deepEqual(narrowLines(['source.ip', 'outline', 'status']).named, ['source.ip']);
    assert.deepEqual(narrowLines(SPECIAL_COLUMNS).named, []);
  });

  it('have the first value above where there is no analytic', () => {
    assert.deepEqual(linesOf(['severity', 'time', 'source.ip', 'outline', 'assignee']), {
      first: ['severity', 'source.ip', 'time'],
      second: ['outline', 'assignee'],
    });
    assert.deepEqual(linesOf(['labels']), { first: [], second: [] });
    assert.deepEqual(linesOf([]), { first: [], second: [] });
  });
});
