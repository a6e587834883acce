import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip } from './browser.ts';
import { accessibilityProblems } from './pages/accessibility-check.ts';
import { focusOrderProblems } from './pages/focus-order.ts';
import { pageStates, submitArchive, visitStates } from './pages/page-states.ts';

/** Returns a line for a page that scrolls sideways in a window of 320 pixels (WCAG 1.4.10). */
async function widthProblems(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  // Lists measure themselves after the window has changed.
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= 320, undefined, { timeout: 5_000 });
  return fits.then(
    () => [],
    () => ['is wider than a window of 320 pixels'],
  );
}

describe('the pages', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  it('keep the rules in every state: axe-core, order of focus, 320 pixels, dark, English', async () => {
    await using watched = await fixture.openSignedIn('/', { theme: 'dark', language: 'en' });
    const { page, offences } = watched;
    const states = await pageStates(fixture.program, page);
    assert.ok(states.length >= 30, states.map(({ name }) => name).join(' '));
    await submitArchive(page);
    const problems: string[] = [];
    await visitStates(page, states, async (name) => {
      const found = [
        ...(await accessibilityProblems(page)),
        ...(await focusOrderProblems(page)),
        ...(await widthProblems(page)),
      ];
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    });
    assert.deepEqual(problems, []);
    assertNoOffences(offences, /404/);
  });

  it('keep the rules in every state: axe-core, light, French', async () => {
    await using watched = await fixture.openSignedIn('/', { theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    const problems: string[] = [];
    await visitStates(page, await pageStates(fixture.program, page), async (name) => {
      for (const problem of await accessibilityProblems(page)) problems.push(`${name}: ${problem}`);
    });
    assert.deepEqual(problems, []);
    assertNoOffences(offences, /404/);
  });

  it('say how many rows a list has, drawn or not', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page } = watched;
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(5).waitFor();
    // The row of heads counts.
    assert.equal(await grid.getAttribute('aria-rowcount'), '201');
    assert.ok((await grid.getByRole('row').count()) < 100);
    const places = await grid.getByRole('row').evaluateAll((rows) => rows.map((row) => Number(row.ariaRowIndex)));
    assert.deepEqual(
      places,
      [...places.keys()].map((index) => index + 1),
    );
    await page.keyboard.press('End');
    await grid.locator('[aria-rowindex="201"]').waitFor();
  });

  it('show the names of the pages that the palette leads to', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page } = watched;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('alerts');
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Commands and pages').waitFor();
  });
});
