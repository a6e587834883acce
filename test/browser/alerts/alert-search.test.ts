import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';

const COUNT = 24;

describe('the search of the page of alerts', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    const alerts = Array.from({ length: COUNT }, (_, index) => ({
      'howler.analytic': index % 3 === 0 ? 'Third' : 'Other',
      'event.created': new Date(Date.now() - index * 3_600_000).toISOString(),
      'event.severity': index % 10,
      'howler.outline.summary': `Alert ${index}`,
    }));
    await storeAlerts(fixture.program, alerts);
  });

  async function rowCount(page: Page, count: number): Promise<void> {
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
  }

  /** Waits for a completion that takes keys: while others are read, the list is there but takes none. */
  async function offered(page: Page, name: RegExp): Promise<void> {
    const list = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)');
    await list.getByRole('option', { name }).first().waitFor();
  }

  it('completes a field and a value, and runs them', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('howler.analyt');
    await offered(page, /howler\.analytic/);
    await page.keyboard.press('Tab');
    await page.keyboard.type('thi');
    await offered(page, /third/i);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await rowCount(page, COUNT / 3);
    assert.match(decodeURIComponent(page.url()), /q=howler\.analytic:"?third/i);
    assertNoOffences(offences);
  });

  it('marks a mistake at its place until it is corrected', async () => {
    await using watched = await fixture.openSignedIn('/alerts', { language: 'fr', theme: 'light' });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('howler.statsu:open AND (a');
    await page.locator('.q-problem').first().waitFor();
    await page.keyboard.press('Enter');
    // The refusal of the server takes the place of the rows, and the mark stays.
    await page.waitForURL(/q=howler\.statsu/);
    await page.locator('.q-problem').first().waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('howler.status:open');
    await page.keyboard.press('Enter');
    await rowCount(page, COUNT);
    await page.locator('.q-problem').waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('is narrowed by a drag on the histogram', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    const plot = page.locator('.u-over');
    await plot.waitFor();
    const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.5, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height / 2);
    await page.mouse.move(x + width * 0.75, y + height / 2);
    await page.mouse.up();
    await page.waitForURL(/span=/);
    await page.waitForFunction((all) => {
      const count = Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1;
      return count > 0 && count < all;
    }, COUNT);
    assertNoOffences(offences);
  });

  it('is narrowed by facets, which include and exclude, and sorted by a column', async () => {
    await using watched = await fixture.openSignedIn('/alerts', { theme: 'light' });
    const { page, offences } = watched;
    await rowCount(page, COUNT);
    const facets = page.getByRole('complementary', { name: 'Values' });
    await facets.getByTitle('Only third').click();
    await rowCount(page, COUNT / 3);
    await page.getByRole('button', { name: /howler\.analytic is third/ }).press('Delete');
    await rowCount(page, COUNT);
    await facets.getByRole('textbox').fill('thi');
    assert.equal(await facets.getByTitle('Only other').count(), 0);
    await facets.getByRole('button', { name: 'Without third' }).click();
    await rowCount(page, COUNT - COUNT / 3);
    await page
      .getByRole('columnheader', { name: /Severity|Sev/ })
      .getByRole('button')
      .first()
      .click();
    await page.waitForURL(/sort=event\.severity/);
    const first = page.locator('[role=row][data-index="0"]');
    const order = new URL(page.url()).searchParams.get('sort');
    await first.filter({ hasText: order?.includes('asc') ? /Alert (?:10|20)/ : /Alert 19/ }).waitFor();
    assertNoOffences(offences);
  });
});
