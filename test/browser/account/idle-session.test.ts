import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { programFixture, signIn, skip } from '../browser.ts';

describe('a page that no one uses', { skip }, () => {
  const fixture = programFixture();

  const isService = (request: Request) => request.url().includes('/services/');
  /** Passes time until the page reads something. Returns whether that counts as use of the session. */
  async function nextReadCounts(page: Page): Promise<boolean> {
    const next = page.waitForRequest(isService);
    await page.clock.fastForward(10_500);
    return (await next).headers()['x-background'] === undefined;
  }

  for (const path of ['/administration/health', '/administration/queues', '/administration/jobs']) {
    it(`keeps no session alive by reading again what it shows: ${path}`, async () => {
      await using watched = await fixture.open();
      const { page } = watched;
      await page.clock.install();
      await signIn(page, path);
      await page.getByRole('table').waitFor();
      await page.keyboard.press('Shift');
      assert.equal(await nextReadCounts(page), true, 'a person was here a moment ago');
      await page.clock.fastForward(61_000);
      await page.waitForLoadState('networkidle');
      assert.equal(await nextReadCounts(page), false, 'the person left');
      await page.mouse.move(200, 200);
      assert.equal(await nextReadCounts(page), true, 'the person came back');
    });
  }
});
