import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendJson } from './alert-data.ts';
import { assertNoOffences, programFixture, skip } from './browser.ts';
import { accessibilityProblems, otherThemeProblems } from './pages/accessibility-check.ts';
import { focusOrderProblems } from './pages/focus-order.ts';
import { keyboardUseProblems } from './pages/keyboard-use.ts';
import { EXPECTED_ERRORS, pageStates, submitArchive, visitStates } from './pages/page-states.ts';
import { smallWindowProblems } from './pages/small-window.ts';

describe('the pages', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  it('keep the rules in every state: axe-core, focus, keyboard and small windows in English', async () => {
    await using watched = await fixture.openSignedIn('/', { theme: 'dark', language: 'en', reducedMotion: 'reduce' });
    const { page, offences } = watched;
    const states = await pageStates(fixture.program, page);
    assert.ok(states.length >= 50, states.map(({ name }) => name).join(' '));
    await submitArchive(page);
    const problems: string[] = [];
    await visitStates(page, states, async (name) => {
      const found = [
        ...(await accessibilityProblems(page)),
        ...(await otherThemeProblems(page)),
        ...(await focusOrderProblems(page)),
        ...(await keyboardUseProblems(page)),
        ...(await smallWindowProblems(page)),
      ];
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    });
    assert.deepEqual(problems, []);
    assertNoOffences(offences, EXPECTED_ERRORS);
  });

  it('say how many rows a list has, drawn or not', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page } = watched;
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(5).waitFor();
    const { total } = await sendJson(fixture.program, '/api/v1/search/hit', { query: '*:*', rows: 0 });
    // The row of heads counts.
    assert.equal(await grid.getAttribute('aria-rowcount'), String(total + 1));
    assert.ok((await grid.getByRole('row').count()) < 100);
    const places = await grid.getByRole('row').evaluateAll((rows) => rows.map((row) => Number(row.ariaRowIndex)));
    assert.deepEqual(
      places,
      [...places.keys()].map((index) => index + 1),
    );
    await page.keyboard.press('End');
    await grid.locator(`[aria-rowindex="${total + 1}"]`).waitFor();
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
