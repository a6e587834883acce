import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import {
  assertNoOffences,
  builtInterface,
  launchBrowser,
  openContext,
  REFUSED_REQUESTS,
  signIn,
  skip,
} from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('the API reference', { skip }, () => {
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(() => Promise.all([browser.close(), program.close()]));

  it('describes every service in the frame of all pages', async () => {
    await using watched = await openContext(browser, { baseURL: program.urls.web });
    const { page, offences } = watched;
    await signIn(page, '/api-reference');
    for (const [tab, path] of [
      ['Alerts', '/api/v1/hit/{id}/transition'],
      ['Analysis', '/api/v4/submission/full/{sid}/'],
      ['Enrichment', '/api/v1/lookup/types/'],
      ['Operations', '/v1/lock-outs'],
      ['Web session', '/session/preferences'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByText(path, { exact: true }).first().waitFor();
      assert.deepEqual(await accessibilityProblems(page, '#content'), [], tab);
    }
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('shows operations to administrators alone, and says which right is missing (fr, light)', async () => {
    const options = { baseURL: program.urls.web, theme: 'light', language: 'fr' } as const;
    await using watched = await openContext(browser, options);
    const { page, offences } = watched;
    await signIn(page, '/api-reference?service=enrichment', { user: 'user' });
    await page.getByRole('tab', { name: 'Enrichissement' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Exploitation' }).count(), 0);
    const refused = await page.evaluate(async () => (await fetch('/services/operations/v1/openapi.json')).status);
    assert.equal(refused, 403);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
