import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programFixture, skip } from '../browser.ts';

const LINE = `Received: from mail.example.org (192.0.2.7) by mx.example.com with SMTP id ${'a1b2c3'.repeat(12)}; the macro loads hxxps://login.example[.]org/update.bin and connects to 198.51.100.23 every 60 seconds`;

describe('the rows of looked up input', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  it('end where the pane ends, regardless of its width', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page } = watched;
    await page.getByRole('textbox').fill(LINE);
    await page.keyboard.press('Control+Enter');
    const text = page.getByRole('grid', { name: 'Text with marked values' });
    await text.locator('mark').first().waitFor();
    const cut = () =>
      text.evaluate((grid) => ({
        sideways: grid.scrollWidth > grid.clientWidth,
        cells: [...grid.querySelectorAll('[role=gridcell]')]
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent),
      }));
    for (const width of [1280, 960, 1600]) {
      await page.setViewportSize({ width, height: 720 });
      await page
        .waitForFunction(
          () => {
            const grid = document.querySelectorAll('[role=grid]')[1];
            return [...(grid?.querySelectorAll('[role=gridcell]') ?? [])].every(
              (cell) => cell.scrollWidth <= cell.clientWidth,
            );
          },
          undefined,
          { timeout: 10_000 },
        )
        .catch(() => undefined);
      assert.deepEqual(await cut(), { sideways: false, cells: [] }, `${width} pixels`);
    }
  });

  it('say their own opinion, and the worst one about the value beside it', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page } = watched;
    await page.getByRole('textbox').fill('198.51.100.23');
    await page.keyboard.press('Control+Enter');
    const rows = page.getByRole('grid').first().locator('[role=row][data-index]');
    const cell = (row: number, column: number) => rows.nth(row).getByRole('gridcell').nth(column);
    await cell(0, 0).getByText('Malicious').waitFor();
    await rows.nth(1).waitFor();
    const statement = rows.filter({ hasText: /^–/ }).first();
    assert.equal(await statement.getByRole('gridcell').first().textContent(), '–');
    assert.match((await statement.getByRole('gridcell').nth(2).textContent()) ?? '', /Malicious.*198\.51\.100\.23/);
  });
});
