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

const ADMIN = 'admin:devkey:admin';

describe('two browsers at the same alerts', { skip }, () => {
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(() => Promise.all([browser.close(), program.close()]));

  async function createAlerts(analytic: string, count: number): Promise<string[]> {
    const alerts = Array.from({ length: count }, (_, index) => ({
      'howler.analytic': analytic,
      'event.created': new Date(Date.now() - index * 60_000).toISOString(),
      'howler.outline.summary': `Alert ${index}`,
    }));
    const options = { method: 'POST', basic: ADMIN, json: alerts };
    const { json, text } = await program.request('/api/v1/hit?refresh=true', options);
    assert.ok(json?.api_response?.valid, text);
    return json.api_response.valid.map(({ howler }: { howler: { id: string } }) => howler.id);
  }

  const listOf = (analytic: string) => `/alerts?q=${encodeURIComponent(`howler.analytic:"${analytic}"`)}`;

  it('a transition in one is seen in the row of the other, in its place', async () => {
    await createAlerts('Moved', 3);
    await using first = await openContext(browser, { baseURL: program.urls.web });
    await using second = await openContext(browser, { baseURL: program.urls.web, language: 'fr', theme: 'light' });
    await signIn(first.page, listOf('Moved'));
    await signIn(second.page, listOf('Moved'), { user: 'user' });
    const row = first.page.getByRole('row', { name: /Alert 1/ });
    await row.getByText('Open').waitFor();
    await second.page.getByRole('row', { name: /Alert 1/ }).waitFor();
    await second.page.keyboard.press('j');
    await second.page.keyboard.press('j');
    await second.page.keyboard.press('s');
    await row.getByText('In progress').waitFor();
    await row.getByText('user').waitFor();
    const texts = await first.page.getByRole('row').allTextContents();
    assert.match(texts[2] ?? '', /Alert 1/);
    assertNoOffences(first.offences, REFUSED_REQUESTS);
    assertNoOffences(second.offences, REFUSED_REQUESTS);
  });

  it('new alerts wait behind a button, and deleted ones stay struck through until the next search', async () => {
    const [gone = ''] = await createAlerts('Waiting', 3);
    await using watched = await openContext(browser, { baseURL: program.urls.web });
    const { page, offences } = watched;
    await signIn(page, listOf('Waiting'));
    await page.getByRole('row', { name: /Alert 2/ }).waitFor();
    await createAlerts('Waiting', 1);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 4);
    await page.keyboard.press('.');
    await page.locator('[role=grid][aria-rowcount="5"]').waitFor();
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' });
    await program.request('/api/v1/hit', { method: 'DELETE', basic: ADMIN, json: [gone] });
    const struck = page.locator('[role=row][data-state=deleted]');
    await struck.waitFor();
    const cell = struck.getByRole('gridcell').nth(2);
    assert.match(await cell.evaluate((element) => getComputedStyle(element).textDecorationLine), /line-through/);
    assert.equal(await page.getByRole('row').count(), 5);
    await page.keyboard.press('.');
    await page.locator('[role=grid][aria-rowcount="4"]').waitFor();
    await struck.waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('who else looks at an alert and types a comment is seen beside it and in the title line', async () => {
    const [id = ''] = await createAlerts('Looked at', 1);
    await using first = await openContext(browser, { baseURL: program.urls.web });
    await using second = await openContext(browser, { baseURL: program.urls.web, language: 'fr', theme: 'light' });
    await signIn(first.page, `/alerts/${id}`);
    const title = first.page.getByRole('banner');
    await first.page.getByRole('tab', { name: 'Overview' }).waitFor();
    await signIn(second.page, `/alerts/${id}`, { user: 'user' });
    await first.page.getByRole('region', { name: 'Alert', exact: true }).getByText('user looks at it').waitFor();
    await title.getByText('user looks at it').waitFor();
    await second.page.getByRole('banner').getByText('admin').first().waitFor();
    await second.page.keyboard.press('c');
    await second.page.getByRole('textbox', { name: 'Commentaire' }).pressSequentially('Un moment');
    await title.getByText('user writes a comment').waitFor();
    await second.context.close();
    await title.getByText('user looks at it').waitFor({ state: 'detached' });
    assertNoOffences(first.offences, REFUSED_REQUESTS);
  });
});
