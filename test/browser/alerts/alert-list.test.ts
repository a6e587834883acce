import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { listOf, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const NEWEST = Date.parse('2026-01-15T12:00:00.000Z');

describe('the list of alerts', { skip }, () => {
  const fixture = programFixture();

  const rows = (page: Page) => page.getByRole('grid', { name: 'Alerts of the search' }).getByRole('row');

  it('shows what is new since the last visit, once there was one', async () => {
    const alert = { 'howler.analytic': 'Visits', 'howler.outline.summary': 'Before' };
    await storeAlerts(fixture.program, [{ ...alert, 'event.created': new Date(Date.now() - 3_600_000).toISOString() }]);
    {
      await using first = await fixture.openSignedIn(listOf('Visits'));
      const { page } = first;
      await page.getByText('1 alert', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'All times' }).click();
      await page.getByRole('button', { name: 'Last 15 minutes' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Since my last visit' }).count(), 0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('User name').waitFor();
    }
    await storeAlerts(fixture.program, [
      { ...alert, 'howler.outline.summary': 'Since', 'event.created': new Date(Date.now() + 1_000).toISOString() },
    ]);
    // Another browser: the time is kept with the account.
    await using second = await fixture.openSignedIn(listOf('Visits'));
    const { page, offences } = second;
    await page.getByText('2 alerts', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All times' }).click();
    await page.getByRole('button', { name: 'Since my last visit' }).click();
    await page.getByText('1 alert', { exact: true }).waitFor();
    await rows(page).nth(1).getByText('Since').waitFor();
    // A reload is the same visit.
    await page.reload();
    await page.getByText('1 alert', { exact: true }).waitFor();
    assertNoOffences(offences);
  });

  it('counts the values of any other field, which is remembered', async () => {
    await storeAlerts(
      fixture.program,
      ['203.0.113.7', '203.0.113.7', '203.0.113.8'].map((ip) => ({ 'howler.analytic': 'Facets', 'source.ip': ip })),
    );
    {
      await using watched = await fixture.openSignedIn(listOf('Facets'));
      const { page, offences } = watched;
      const panel = page.getByRole('complementary', { name: 'Values' });
      await panel.getByRole('button', { name: 'Add a field' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a field' });
      await dialog.getByRole('combobox').fill('source.ip');
      await page
        .getByRole('option', { name: /^source\.ip\b/ })
        .first()
        .waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await page
        .getByRole('option', { name: /^source\.ip\b/ })
        .first()
        .click();
      await panel.getByRole('heading', { name: 'source.ip' }).waitFor();
      await panel.getByRole('button', { name: /^203\.0\.113\.7/ }).waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await panel.getByRole('button', { name: /^203\.0\.113\.8/ }).click();
      await page.getByText('1 alert', { exact: true }).waitFor();
      await until('the field is kept with the account', async () =>
        (await page.evaluate(async () => (await fetch('/session/preferences')).text())).includes('source.ip'),
      );
      assertNoOffences(offences);
    }
    await using watched = await fixture.openSignedIn(listOf('Facets'));
    const { page } = watched;
    const panel = page.getByRole('complementary', { name: 'Values' });
    await panel.getByRole('button', { name: /^203\.0\.113\.7/ }).waitFor();
    await panel.getByRole('button', { name: 'Remove source.ip from the values' }).click();
    await panel.getByRole('heading', { name: 'source.ip' }).waitFor({ state: 'detached' });
  });

  it('marks the filter that was refused, not the query', async () => {
    await using watched = await fixture.open();
    const { page } = watched;
    const filters = ['-howler.status:open', 'event.severity:high'];
    await signIn(page, `/alerts?q=howler.status%3Aopen&f=${encodeURIComponent(JSON.stringify(filters))}`);
    const chips = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
    const refused = chips.nth(1).getByRole('button').first();
    await until('the chip is marked', async () => (await refused.getAttribute('aria-describedby')) !== null);
    assert.equal(await chips.nth(0).getByRole('button').first().getAttribute('aria-describedby'), null);
    await page
      .getByRole('search')
      .getByText(/event\.severity holds numbers/)
      .first()
      .waitFor();
    assert.equal(await page.locator('.cm-lintRange-error, .cm-problem').count(), 0);
    await refused.click();
    await page
      .getByRole('dialog')
      .getByText(/event\.severity holds numbers/)
      .waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page
      .getByText('0 alerts')
      .or(page.getByText(/No alert/))
      .first()
      .waitFor();
    assert.equal(await chips.nth(1).getByRole('button').first().getAttribute('aria-describedby'), null);
  });

  it('jumps anywhere in 30,000 alerts', async () => {
    const count = 30_000;
    for (let start = 0; start < count; start += 1_000) {
      await storeAlerts(
        fixture.program,
        Array.from({ length: 1_000 }, (_, index) => ({
          'howler.analytic': 'Many',
          'howler.outline.summary': `Number ${start + index}`,
          'event.created': new Date(NEWEST - (start + index) * 1_000).toISOString(),
          'event.severity': ((start + index) % 4) + 1,
        })),
      );
    }
    await using watched = await fixture.openSignedIn(listOf('Many'));
    const { page, offences } = watched;
    await page.getByText(/^30[,\s]?000 alerts$/).waitFor();
    const grid = page.getByRole('grid', { name: 'Alerts of the search' });
    assert.equal(await grid.getAttribute('aria-rowcount'), String(count + 1));
    /** Returns the rows in sight as index and summary, once all of them are read. */
    const shown = () =>
      rows(page).evaluateAll((elements) =>
        elements.slice(1).map((element) => ({
          index: Number(element.getAttribute('aria-rowindex')) - 2,
          number: Number(/Number (\d+)/.exec(element.textContent ?? '')?.[1] ?? -1),
        })),
      );
    /** Jumps to a part of the list, where each index has its number. */
    const jumpTo = async (part: number, numberAt: (index: number) => number) => {
      await grid.evaluate((element, share) => {
        const scroller = [element, ...element.querySelectorAll('*')].find(
          (one) => one.scrollHeight > one.clientHeight + 100_000,
        );
        if (scroller === undefined) throw new Error('Nothing scrolls.');
        scroller.scrollTop = scroller.scrollHeight * share;
      }, part);
      await until(`the rows at ${part} are there`, async () => {
        // Rows beside those in sight are drawn before they are read.
        const seen = (await shown()).filter(({ number }) => number >= 0);
        return (
          seen.length > 5 &&
          seen.every(({ index, number }) => numberAt(index) === number) &&
          Math.abs((seen[0]?.index ?? 0) / count - part) < 0.02
        );
      });
    };
    for (const part of [0.5, 0.99, 0.36, 0.8, 0]) await jumpTo(part, (index) => index);
    await page.keyboard.press('End');
    await grid.getByText('Number 29999').waitFor();
    await page.keyboard.press('Enter');
    const open = page.getByRole('region', { name: 'Alert', exact: true });
    await open.getByText('Number 29999').first().waitFor();
    // An open alert follows to rows that are not read yet.
    await page.keyboard.press('Home');
    await open.getByText('Number 0', { exact: true }).first().waitFor();
    await page.keyboard.press('End');
    await open.getByText('Number 29999').first().waitFor();
    await page.keyboard.press('Escape');
    await open.waitFor({ state: 'detached' });

    // By severity there are 7,500 equal ones each, which the time puts in order.
    await page.getByRole('columnheader', { name: 'Sev' }).getByRole('button').first().click();
    await page.waitForURL(/sort=event\.severity/);
    const bySeverity = (index: number) => 4 * (index % 7_500) + 3 - Math.floor(index / 7_500);
    for (const part of [0.4, 0.98, 0.7]) await jumpTo(part, bySeverity);
    // By the identifier no place can be counted.
    await page.goto(`${listOf('Many')}&sort=howler.id+asc`);
    await page.getByText(/^30[,\s]?000 alerts$/).waitFor();
    await page.getByRole('status').filter({ hasText: 'cannot be read in this order' }).waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByRole('status').filter({ hasText: 'cannot be read in this order' }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('status').filter({ hasText: 'cannot be read in this order' }).waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });
});
