import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from './accessibility-check.ts';
import { assertNoOffences, programFixture, skip } from './browser.ts';

const LOOKS = [
  { theme: 'dark', language: 'en' },
  { theme: 'light', language: 'fr' },
] as const;

describe('the pages', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  /** Returns the addresses of the rail and of the tabs of its pages. */
  async function addresses(page: Page): Promise<string[]> {
    const links = await page.getByRole('navigation').getByRole('link').all();
    const found = await Promise.all(links.map((link) => link.getAttribute('href')));
    return found.filter((address) => address !== null);
  }

  for (const { theme, language } of LOOKS) {
    it(`have no problem that axe-core finds, and break no rule, ${theme}, ${language}`, async () => {
      await using watched = await fixture.openSignedIn('/', { theme, language });
      const { page, offences } = watched;
      const found = await addresses(page);
      assert.ok(found.length >= 4, found.join(' '));
      for (const address of found) {
        await page.goto(address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const tabs = await page.getByRole('tab').all();
        for (const [index] of [...tabs.keys()].entries()) {
          if (index > 0) await page.getByRole('tab').nth(index).click();
          await page.waitForLoadState('networkidle');
          const name = await page.getByRole('tab').nth(index).textContent();
          assert.deepEqual(await accessibilityProblems(page), [], `${address} ${name}`);
        }
        if (tabs.length === 0) {
          await page.waitForLoadState('networkidle');
          assert.deepEqual(await accessibilityProblems(page), [], address);
        }
      }
      assertNoOffences(offences);
    });
  }

  it('fit a window of 320 pixels without scrolling sideways', async () => {
    await using watched = await fixture.openSignedIn('/', { width: 320, height: 640 });
    const { page } = watched;
    for (const address of await addresses(page)) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 320, `${address} is ${width} pixels wide`);
    }
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
