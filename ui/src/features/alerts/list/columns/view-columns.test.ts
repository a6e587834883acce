import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOfView, gridColumns } from './view-columns.ts';

const settingsOf = (columns?: { field: string; width?: number }[]) => ({
  settings: { advance_on_triage: false, ...(columns === undefined ? {} : { columns }) },
});

describe('the columns of a view', () => {
  it('are saved as fields, and read back as columns', () => {
    const list = { columns: ['severity', 'source.ip', 'outline'], widths: { 'source.ip': 90 } };
    const saved = gridColumns(list);
    assert.deepEqual(saved, [
      { field: 'event.severity' },
      { field: 'source.ip', width: 90 },
      { field: 'howler.outline.summary' },
    ]);
    assert.deepEqual(columnsOfView(settingsOf(saved)), list);
  });

  it('are those of the account where a view has none', () => {
    assert.equal(columnsOfView(undefined), undefined);
    assert.equal(columnsOfView(settingsOf()), undefined);
    assert.equal(columnsOfView(settingsOf([])), undefined);
  });

  it('stand there once, however often a view names them', () => {
    assert.deepEqual(columnsOfView(settingsOf([{ field: 'a' }, { field: 'a' }]))?.columns, ['a']);
  });
});
