import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page, Request } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import { builtInterface, launchBrowser, openContext, signIn, skip } from '../browser.ts';

describe('a page that nobody uses', { skip }, () => {
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(() => Promise.all([browser.close(), program.close()]));

  const isService = (request: Request) => request.url().includes('/services/');
  /** Passes time until the page reads something. Returns whether that counts as use of the session. */
  async function nextReadCounts(page: Page): Promise<boolean> {
    const next = page.waitForRequest(isService);
    await page.clock.fastForward(10_500);
    return (await next).headers()['x-background'] === undefined;
  }

  for (const path of ['/administration/health', '/administration/queues', '/administration/jobs']) {
    it(`keeps no session alive by reading again what it shows: ${path}`, async () => {
      await using watched = await openContext(browser, { baseURL: program.urls.web });
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
