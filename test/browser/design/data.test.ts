import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

describe('the components for data', { skip }, () => {
  const fixture = programFixture();

  /** The row that assistive technology takes for the focused one. */
  const activeRow = (page: Page) =>
    page.getByRole('grid').evaluate((grid) => {
      const id = grid.getAttribute('aria-activedescendant');
      return id === null ? undefined : document.getElementById(id)?.getAttribute('aria-rowindex');
    });

  describe('the table', () => {
    it('tells its true size, and keeps few rows in the page', async () => {
      await using watched = await fixture.openGallery('table');
      const grid = watched.page.getByRole('grid');
      await grid.getByRole('row').nth(3).waitFor();
      assert.equal(await grid.getAttribute('aria-rowcount'), '100001');
      assert.equal(await grid.getAttribute('aria-colcount'), '10');
      assert.ok((await grid.getByRole('row').count()) < 80);
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
      await grid.locator('[aria-rowindex="50002"]').waitFor();
      assert.ok((await grid.getByRole('row').count()) < 80);
      assertNoOffences(watched.offences);
    });

    it('is used by keys', async () => {
      await using watched = await fixture.openGallery('table');
      const { page } = watched;
      const grid = page.getByRole('grid');
      await grid.focus();
      for (const [key, row] of [
        ['ArrowDown', '2'],
        ['ArrowDown', '3'],
        ['End', '100001'],
        ['ArrowUp', '100000'],
        ['Home', '2'],
      ]) {
        await page.keyboard.press(key ?? '');
        await grid.locator(`[data-active][aria-rowindex="${row}"]`).waitFor();
        assert.equal(await activeRow(page), row);
      }
      await page.keyboard.press(' ');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await page.waitForFunction(() => document.querySelectorAll('[role=row][aria-selected=true]').length === 3);
      assertNoOffences(watched.offences);
    });

    it('keeps the active row in the page when it is scrolled out of sight', async () => {
      await using watched = await fixture.openGallery('table');
      const { page } = watched;
      const grid = page.getByRole('grid');
      await grid.locator('[aria-rowindex="4"]').click();
      await grid.evaluate((element) => element.scrollTo(0, 1_000_000));
      await grid.locator('[aria-rowindex="35720"]').waitFor();
      assert.equal(await activeRow(page), '4');
    });

    it('changes order and widths by keys', async () => {
      await using watched = await fixture.openGallery('table');
      const { page } = watched;
      const time = page.getByRole('columnheader', { name: /Time/ });
      assert.equal(await time.getAttribute('aria-sort'), 'descending');
      await time.getByRole('button').press('Enter');
      assert.equal(await time.getAttribute('aria-sort'), 'ascending');
      const before = (await time.boundingBox())?.width ?? 0;
      await time.getByRole('separator').press('ArrowRight');
      await page.waitForFunction(
        ([index, width]) =>
          (document.querySelectorAll('[role=columnheader]')[index ?? 0]?.clientWidth ?? 0) > (width ?? 0),
        [2, before],
      );
    });

    it('draws rows of two lines where it is narrow, with the same size, keys and order', async () => {
      await using watched = await fixture.openGallery('table', { width: 390 });
      const { page } = watched;
      const grid = page.getByRole('grid');
      await grid.and(page.locator('[data-narrow]')).waitFor();
      const height = async () => (await page.locator('[aria-rowindex="4"]').boundingBox())?.height;
      assert.equal(await height(), 46);
      assert.equal(await grid.getAttribute('aria-rowcount'), '100001');
      await grid.focus();
      await page.keyboard.press('End');
      await grid.locator('[data-active][aria-rowindex="100001"]').waitFor();
      assert.equal(await activeRow(page), '100001');
      assert.ok((await grid.getByRole('row').count()) < 80);
      await page.keyboard.press('Home');
      await page.keyboard.press(' ');
      await page.keyboard.press('Shift+ArrowDown');
      await grid.getByRole('row', { selected: true }).nth(1).waitFor();

      const cell = await page.locator('[aria-rowindex="4"] [data-select]').boundingBox();
      assert.ok(cell && cell.width >= 24 && cell.height >= 24, JSON.stringify(cell));
      await page.mouse.click(cell.x + 2, cell.y + 2);
      await grid.getByRole('row', { selected: true }).nth(2).waitFor();
      await grid.getByRole('checkbox', { name: 'Select all' }).check();
      await grid.locator('[role=row][data-index]:not([aria-selected=true])').first().waitFor({ state: 'detached' });

      await grid.getByRole('button', { name: 'Time, descending' }).click();
      await page.getByRole('menuitem', { name: /^Severity/ }).click();
      await grid.getByRole('button', { name: 'Severity, descending' }).waitFor();

      await page.setViewportSize({ width: 1280, height: 720 });
      await page.getByRole('columnheader', { name: /Severity/ }).waitFor();
      assert.equal(await height(), 28);
    });
  });

  it('shows misleading characters as marks, and copies the value itself', async () => {
    await using watched = await fixture.openGallery('data');
    const { page } = watched;
    await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const values = page.getByLabel(/Character that changes the direction of text, U\+202E/);
    assert.ok((await values.count()) > 0);
    assert.equal(await page.locator('main').evaluate((main) => main.textContent?.includes('\u202e')), false);
    await page
      .getByRole('button', { name: /Copy invoice/ })
      .first()
      .click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'invoice\u202efdp.exe');
    assertNoOffences(watched.offences);
  });

  it('chooses a range of the histogram by keys and by a drag, and shows its table', async () => {
    await using watched = await fixture.openGallery('data');
    const { page } = watched;
    const chart = page.getByRole('slider');
    await chart.locator('canvas').waitFor();
    await chart.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByText('2026-10-30T01:00:00.000Z 2026-10-30T03:00:00.000Z').waitFor();
    const box = await chart.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 10, box.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/2026-10-3\d.* 2026-11-01T00:00:00.000Z/).waitFor();
    await page.getByRole('button', { name: 'Table of “Alerts by status”' }).click();
    await page.getByRole('rowheader', { name: '2026-10-30 00:00' }).waitFor();
    assertNoOffences(watched.offences);
  });

  it('opens, closes and moves items of a tree by keys', async () => {
    await using watched = await fixture.openGallery('data');
    const { page } = watched;
    const tree = page.getByRole('tree', { name: 'JSON' }).first();
    await tree.focus();
    const lines = () => tree.getByRole('treeitem').count();
    const before = await lines();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(
      ([count]) => document.querySelectorAll('[role=tree]')[0]?.querySelectorAll('[role=treeitem]').length !== count,
      [before],
    );
    assert.ok((await lines()) < before);
    await page.getByRole('tree', { name: 'Items' }).press('Alt+ArrowDown');
    await page.getByText('a down').waitFor();
  });

  it('tells the true size of each branch of a tree', async () => {
    await using watched = await fixture.openGallery('data');
    const { page } = watched;
    const placesOf = (name: string) =>
      page
        .getByRole('tree', { name })
        .first()
        .getByRole('treeitem')
        .evaluateAll((items) => items.map(({ ariaPosInSet, ariaSetSize }) => `${ariaPosInSet}/${ariaSetSize}`));
    await page.getByRole('tree', { name: 'Items' }).getByRole('treeitem').first().waitFor();
    assert.deepEqual(await placesOf('Items'), ['1/2', '1/2', '2/2', '2/2']);
    const json = await placesOf('JSON');
    assert.ok(json.length > 3 && json.every((place) => /^\d+\/\d+$/.test(place)), json.join(' '));
  });
});
