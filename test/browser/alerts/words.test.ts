import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, countAlerts, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { fillQuery } from '../saved/choose.ts';

describe('words without a field', { skip }, () => {
  const fixture = programFixture();
  let ids: readonly string[] = [];
  before(async () => {
    const alert = { 'howler.analytic': 'Words', 'event.created': new Date(Date.now() - 60_000).toISOString() };
    ids = await storeAlerts(fixture.program, [
      { ...alert, message: 'LockBit Ransomware note', 'source.ip': '203.0.113.7', 'howler.status': 'open' },
      { ...alert, 'howler.outline.summary': 'A ransomware family', 'howler.status': 'resolved' },
      { ...alert, message: 'Something else', 'destination.ip': '203.0.113.7' },
    ]);
  });

  const rowCount = (page: Page, count: number) => page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();

  async function viewNamed(title: string) {
    const { json } = await fixture.program.request('/api/v1/view/', { basic: ADMIN });
    return json.api_response.find((view: { title: string }) => view.title === title);
  }

  async function search(page: Page, typed: string): Promise<void> {
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(typed);
    await page.keyboard.press('Escape');
    // Without completions that it could close, Escape leaves the field.
    if ((await page.locator('.cm-focused').count()) === 0) await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Enter');
  }

  it('find alerts in any case, by their identifier and by an address', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    await rowCount(page, 3);
    for (const [typed, count] of [
      ['ransomware', 2],
      ['ransomware AND howler.status:open', 1],
      ['ransomware lockbit', 1],
      ['NOT ransomware', 1],
      ['"ransomware note"', 1],
      [ids[2] ?? '', 1],
      ['203.0.113.7', 2],
      ['nothing-has-this', 0],
    ] as const) {
      await search(page, typed);
      await rowCount(page, count);
    }
    assert.match(page.url(), /q=nothing-has-this/, 'the address has what was typed');
    await search(page, 'ransomware');
    await rowCount(page, 2);
    // Values and chart count the same alerts.
    const values = page.getByRole('complementary', { name: 'Values' });
    await values.getByRole('button', { name: /^resolved/ }).click();
    await rowCount(page, 1);
    assertNoOffences(offences);
  });

  it('are said in the explanation with their fields, and marked where the service refuses one', async () => {
    await using watched = await fixture.openSignedIn('/alerts?q=ransomware', { language: 'fr', theme: 'light' });
    const { page, offences } = watched;
    await rowCount(page, 2);
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Alt+Enter');
    const explanation = page.getByRole('region', { name: 'Cette requête en mots' });
    await explanation.getByText('un des champs consultés contient « ransomware »').waitFor();
    await explanation.getByText(/message, .*howler\.outline\.summary/).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assertNoOffences(offences);
  });

  it('are the same alerts for every program once a view has them, and words again in the list', async () => {
    await using watched = await fixture.openSignedIn('/alerts?q=ransomware');
    const { page, offences } = watched;
    await rowCount(page, 2);
    await page.getByRole('button', { name: 'Save as a view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByRole('textbox').fill('Ransom');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const view = await viewNamed('Ransom');
    assert.equal(await countAlerts(fixture.program, view.query), 2);
    await page.goto(`/alerts?view=${view.view_id}`);
    await rowCount(page, 2);
    await page
      .locator('.cm-content')
      .getByText(/^ransomware$/)
      .waitFor();
    assertNoOffences(offences);
  });

  it('that are typed into a form of a view are kept as what they find', async () => {
    await using watched = await fixture.openSignedIn('/views');
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'New view' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Typed');
    await fillQuery(page, 'Query', 'ransomware');
    await page.getByText(/^2\s/).first().waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Typed').first().waitFor();
    await until('the view is stored', async () => (await viewNamed('Typed')) !== undefined);
    const view = await viewNamed('Typed');
    const found = await sendJson(fixture.program, '/api/v1/search/hit', { query: view.query });
    assert.equal(found.total, 2);
    assertNoOffences(offences);
  });
});
