import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { someIdentifier, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

/** Pixels between the rail and everything that begins a line. */
const EDGE = 48 + 12;
const WORST_ALERTS = '/alerts?sort=event.severity%20desc';

describe('the look of pages', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });
  let someCase: string;
  let address: string;
  before(async () => {
    someCase = `/cases/${await someIdentifier(fixture.program, 'case', 'case_id')}`;
    const [id = ''] = await storeAlerts(fixture.program, [
      { 'howler.analytic': 'Copied', 'event.created': '2020-01-01T00:00:00Z', 'source.ip': '203.0.113.7' },
    ]);
    address = `/alerts/${id}?tab=fields`;
  });

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  }
  /** Chooses a preference, and waits until it is stored. */
  async function prefer(page: Page, option: string, key: string, value: string): Promise<void> {
    await open(page, '/settings?tab=preferences');
    await page.getByRole('radio', { name: option }).check();
    await until(`${key} is stored`, async () => {
      const stored = await page.evaluate(async () => (await fetch('/session/preferences')).json());
      return stored[key] === value;
    });
  }
  const heights = (page: Page, rows: string) =>
    page.locator(rows).evaluateAll((found) => [...new Set(found.map((row) => row.getBoundingClientRect().height))]);

  const LISTS = ['/views', '/analytics', '/administration/users', '/settings?tab=keys'];

  it('has rows of 28 pixels, and of 36 where they are wanted', async () => {
    await using watched = await fixture.openSignedIn('/', { width: 1440 });
    const { page, offences } = watched;
    const check = async (height: number) => {
      for (const path of [...LISTS, `${someCase}?tab=tasks`]) {
        await open(page, path);
        await page.locator('main tbody tr').first().waitFor();
        assert.deepEqual(await heights(page, 'main tbody tr'), [height], path);
      }
      await open(page, WORST_ALERTS);
      await page.getByRole('row').nth(2).waitFor();
      assert.deepEqual(await heights(page, '[role=row][data-index]'), [height]);
    };
    await check(28);
    await prefer(page, 'Comfortable, 36 pixels', 'density', 'comfortable');
    await check(36);
    await prefer(page, 'Compact, 28 pixels', 'density', 'compact');
    assertNoOffences(offences);
  });

  it('begins titles, toolbars, tabs and tables at one edge', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page } = watched;
    const leftOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          // The words themselves: a tab has room around them.
          const range = document.createRange();
          range.selectNodeContents(element);
          // A field begins with its frame.
          const box = element.matches('input') ? (element.parentElement ?? element) : element;
          const words = element.matches('[role=tab], h1, p, h2') ? range : box;
          return Math.round(words.getBoundingClientRect().left);
        });
    const edges = {
      '/alerts': ['search [class*=frame]', 'main aside h2'],
      '/cases': ['search [class*=frame]'],
      '/files': ['main p[role=status]'],
      '/views': ['main input'],
      '/administration/users': ['[role=tab]', 'main [role=group] input', 'main table'],
      '/settings': ['[role=tab]', 'main h2'],
      [`${someCase}?tab=tasks`]: ['[role=tab]', 'main form input', 'main table'],
      '/nothing-here': ['main p'],
      [address]: ['main [role=group]', '[role=tab]'],
    };
    for (const [path, parts] of Object.entries(edges)) {
      await open(page, path);
      assert.equal(await leftOf('h1'), EDGE, `the title of ${path}`);
      for (const part of parts) {
        assert.equal(await leftOf(part), EDGE, `${part} of ${path}`);
      }
    }
  });

  it('has 16 rows to read beside an open alert in a window of 1280 × 720', async () => {
    await using watched = await fixture.openSignedIn(WORST_ALERTS, { width: 1280, height: 720 });
    const { page } = watched;
    await page.getByRole('row').nth(3).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    const readable = await page.locator('[role=row][data-index]').evaluateAll(
      (rows) =>
        rows.filter((row) => {
          const { top, bottom, left } = row.getBoundingClientRect();
          const seen = document.elementFromPoint(left + 100, (top + bottom) / 2);
          return bottom <= innerHeight && seen !== null && row.contains(seen);
        }).length,
    );
    assert.ok(readable >= 16, `${readable} rows`);
    const outline = page.getByRole('columnheader', { name: 'Outline' });
    const [head, list] = [await outline.boundingBox(), await page.getByRole('grid').boundingBox()];
    assert.ok(head && list && head.x + 100 < list.x + list.width, 'the outline is read without scrolling sideways');
  });

  it('copies indicators as they are or defanged, as is preferred', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, context, offences } = watched;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => {
      await open(page, address);
      await page.getByText('203.0.113.7', { exact: true }).first().click({ clickCount: 3 });
      await page.keyboard.press('Control+c');
      let text = '';
      await until('something is copied', async () => {
        text = await page.evaluate(() => navigator.clipboard.readText());
        return text !== '';
      });
      await page.evaluate(() => navigator.clipboard.writeText(''));
      return text;
    };
    assert.equal(await copied(), '203.0.113.7');
    await prefer(page, 'Defanged (hxxp, [.])', 'copy', 'defanged');
    assert.equal(await copied(), '203[.]0[.]113[.]7');
    await prefer(page, 'As they are', 'copy', 'plain');
    assertNoOffences(offences);
  });

  it('names the pages of the rail beside their icons, with their keys', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    const hint = page.locator('[role=presentation][data-side]');
    const alerts = page.getByRole('navigation').first().getByRole('link', { name: 'Alerts' });
    await alerts.hover();
    await hint.filter({ hasText: 'Alerts' }).waitFor();
    assert.deepEqual(await hint.locator('kbd').allTextContents(), ['g', 'a']);
    assert.equal(await hint.getAttribute('data-side'), 'right');
    await page.mouse.move(600, 400);
    await hint.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Home' }).focus();
    await page.keyboard.press('Tab');
    await hint.filter({ hasText: 'Alerts' }).waitFor();
    await page.getByRole('banner').getByRole('button').last().press('Enter');
    const settings = page.getByRole('menuitem', { name: 'Settings' });
    assert.deepEqual(await settings.locator('kbd').allTextContents(), ['g', 's']);
    assertNoOffences(offences);
  });
});
