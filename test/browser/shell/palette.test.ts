import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { alertsOf, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('the palette', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });
  before(async () => {
    await storeAlerts(fixture.program, alertsOf('Palette', 3));
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: /^(?:Commands and pages|Commandes et pages)$/ });
  const options = (page: Page) => dialog(page).getByRole('option');

  async function open(page: Page): Promise<Locator> {
    await page.keyboard.press('Control+k');
    const field = dialog(page).getByRole('combobox');
    await field.waitFor();
    return field;
  }
  async function close(page: Page): Promise<void> {
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  }
  async function run(page: Page, words: string): Promise<void> {
    await (await open(page)).fill(words);
    await options(page).first().waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  }
  /** Returns those of the names that no entry of the palette is found by. */
  async function missing(page: Page, names: readonly string[]): Promise<string[]> {
    const field = await open(page);
    const missed: string[] = [];
    for (const name of new Set(names)) {
      await field.fill(name);
      const found = await dialog(page).evaluate(
        () =>
          new Promise<number>((resolve) => {
            // After the list is drawn for these words.
            requestAnimationFrame(() => setTimeout(() => resolve(document.querySelectorAll('[role=option]').length)));
          }),
      );
      if (found === 0) missed.push(name);
    }
    await close(page);
    return missed;
  }
  const wordsOf = async (elements: Locator) =>
    elements.evaluateAll((found) =>
      found.map((element) => {
        const copy = element.cloneNode(true) as HTMLElement;
        for (const keys of copy.querySelectorAll('kbd')) keys.remove();
        return (element.getAttribute('aria-label') ?? copy.textContent ?? '').trim();
      }),
    );
  /** Returns the names of the items of a menu and of the menus inside of it, but for disabled ones. */
  async function itemsOf(page: Page, trigger: Locator): Promise<string[]> {
    await trigger.click();
    const enabled = page.locator('[role=menuitem]:not([aria-disabled=true])');
    await enabled.first().waitFor();
    const inner = page.locator('[role=menuitem][aria-haspopup]:not([aria-disabled=true])');
    const names = await wordsOf(page.locator('[role=menuitem]:not([aria-disabled=true], [aria-haspopup])'));
    if ((await inner.count()) > 0) {
      await inner.first().hover();
      await page.getByRole('menu').nth(1).waitFor();
      names.push(
        ...(await page
          .getByRole('menu')
          .nth(1)
          .locator('[role=menuitem]')
          .evaluateAll((items) => items.map((item) => item.querySelector('span:nth-child(2)')?.textContent ?? ''))),
      );
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    return names;
  }

  for (const language of ['en', 'fr'] as const) {
    it(`knows every page of the rail and every command of its title line, ${language}`, async () => {
      await using watched = await fixture.openSignedIn('/', { language });
      const { page, offences } = watched;
      const rail = page.getByRole('navigation').first().getByRole('link');
      const pages = await wordsOf(rail);
      const addresses = await rail.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      assert.equal(pages.length, 14);
      assert.deepEqual(await missing(page, pages), []);
      for (const address of addresses) {
        await page.goto(address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        const buttons = page
          .getByRole('banner')
          .getByRole('button')
          .filter({ hasNot: page.locator('svg.lucide-search, svg.lucide-circle-user') });
        assert.deepEqual(await missing(page, await wordsOf(buttons)), [], address);
        const tabs = address === '/settings' || address.startsWith('/administration') || address === '/api-reference';
        if (tabs) assert.deepEqual(await missing(page, await wordsOf(page.getByRole('tab'))), [], address);
      }
      assertNoOffences(offences);
    });

    it(`knows every command of the menus, ${language}`, async () => {
      await using watched = await fixture.openSignedIn('/alerts?q=howler.analytic:Palette', { language });
      const { page, offences } = watched;
      const banner = page.getByRole('banner');
      const account = await itemsOf(page, banner.getByRole('button').last());
      assert.equal(account.length, 2);
      assert.deepEqual(await missing(page, account), []);
      const exports = await itemsOf(page, banner.locator('button:has(svg.lucide-download)'));
      assert.equal(exports.length, 2);
      assert.deepEqual(await missing(page, exports), []);

      await page.getByRole('row').nth(1).click();
      await page.getByRole('tab').first().waitFor();
      const more = page.getByRole('main').locator('button:has(svg.lucide-ellipsis)').first();
      for (const change of ['', 's']) {
        if (change !== '') {
          await page.keyboard.press(change);
          await page
            // The alert was taken in English before.
            .getByText(/^(?:The alert is yours|Cette alerte est déjà à vous)/)
            .first()
            .waitFor();
        }
        const commands = await itemsOf(page, more);
        assert.ok(commands.length > 5, commands.join());
        assert.deepEqual(await missing(page, commands), []);
      }
      assertNoOffences(offences);
    });
  }

  it('says of each entry where it leads or belongs, and its keys', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page } = watched;
    await page.getByRole('row').nth(1).waitFor();
    await open(page);
    const rows = await options(page).evaluateAll((found) =>
      found.map((option) => [...option.children].map((part) => part.textContent ?? '')),
    );
    assert.deepEqual(
      rows.filter(([name = '', hint = '']) => name === '' || hint === ''),
      [],
    );
    assert.ok(rows.some(([name, hint, keys]) => name === 'Go to Cases' && hint === 'Pages' && keys === 'gc'));
    assert.ok(rows.some(([name, hint]) => name === 'Go to Audit' && hint === 'Administration'));
    assert.ok(rows.some(([name, hint]) => name === 'Open the view “Phishing”' && hint === 'Views'));
    assert.deepEqual(await accessibilityProblems(page), []);
  });

  it('leads to pages, to parts of them and to saved views', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    await run(page, 'alerts');
    await page.waitForURL(/\/alerts$/);
    await run(page, 'dossiers');
    await page.waitForURL(/\/dossiers$/);
    await run(page, 'administration users');
    await page.waitForURL(/\/administration\/users$/);
    await run(page, 'phishing');
    await page.waitForURL(/\/alerts\?view=./);
    await run(page, 'choose the columns');
    await page.getByRole('menu').getByRole('menuitemcheckbox').first().waitFor();
    await page.keyboard.press('Escape');
    await run(page, 'save the search');
    await page.getByRole('dialog', { name: 'Save as a view' }).waitFor();
    assertNoOffences(offences);
  });

  it('offers administration to administrators alone', async () => {
    await using watched = await fixture.openSignedIn('/', { as: { user: 'huey' } });
    const { page } = watched;
    const field = await open(page);
    await field.fill('administration');
    await dialog(page).getByText('Nothing matches.').waitFor();
    await close(page);
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0);
  });
});
