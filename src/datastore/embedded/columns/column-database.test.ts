import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COLUMN_FILE, ColumnDatabase } from './column-database.ts';

describe('ColumnDatabase', () => {
  it('writes what exceeds its memory beside its file, and removes what a killed process left there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'triad-column-database-'));
    const spill = join(folder, `${COLUMN_FILE}.tmp`);
    mkdirSync(spill);
    writeFileSync(join(spill, 'left-behind'), 'x');
    const database = await ColumnDatabase.open(folder);
    try {
      assert.ok(!existsSync(spill));
      assert.deepEqual(await database.rows("SELECT current_setting('temp_directory')"), [[spill]]);
    } finally {
      await database.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps the files of one in memory out of the current folder', async () => {
    const database = await ColumnDatabase.open('memory');
    const rows = await database.rows("SELECT current_setting('temp_directory')");
    await database.close();
    assert.deepEqual(rows, [[join(tmpdir(), `triad-columns-${process.pid}`)]]);
  });
});
