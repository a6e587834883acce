import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import { until } from '../../../src/testing/until.ts';
import { builtInterface, launchBrowser, openContext, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const ADMIN = 'admin:devkey:admin';

describe('an action on the page of alerts', { skip }, () => {
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(() => Promise.all([browser.close(), program.close()]));

  async function send(path: string, json: unknown) {
    const { status, text, json: answer } = await program.request(path, { method: 'POST', basic: ADMIN, json });
    assert.ok(status < 300, text);
    return answer.api_response;
  }

  async function createAlerts(analytic: string, count: number): Promise<string[]> {
    const alerts = Array.from({ length: count }, (_, index) => ({
      'howler.analytic': analytic,
      'event.created': new Date(Date.now() - index * 60_000).toISOString(),
      'howler.score': 7,
      'howler.outline.summary': `Alert ${index}`,
    }));
    const { valid } = await send('/api/v1/hit?refresh=true', alerts);
    return valid.map(({ howler }: { howler: { id: string } }) => howler.id);
  }

  const countOf = (query: string): Promise<number> =>
    send('/api/v1/search/count/hit', { query }).then(({ count }) => count);

  async function createAction(name: string, analytic: string, operations: Record<string, object>): Promise<void> {
    await send('/api/v1/action/', {
      name,
      query: `howler.analytic:"${analytic}"`,
      triggers: [],
      operations: Object.entries(operations).map(([operation_id, data]) => ({
        operation_id,
        data_json: JSON.stringify(data),
      })),
    });
  }

  async function openList(page: Page, analytic: string, count: number): Promise<void> {
    await signIn(page, `/alerts?q=${encodeURIComponent(`howler.analytic:"${analytic}"`)}`);
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('r');
  }

  it('runs in parts, says what it left out and why, and is undone as one', async () => {
    const ids = await createAlerts('Parts', 120);
    // One alert has the label already: the operation skips it, and the undo must leave it there.
    await program.request(`/api/v1/hit/${ids[3]}/labels/generic`, {
      method: 'PUT',
      basic: ADMIN,
      json: { value: ['reviewed'] },
    });
    await createAction('Review', 'Parts', {
      add_label: { category: 'generic', label: 'reviewed' },
      prioritization: { field: 'score', value: '42' },
      promote: { escalation: 'alert' },
    });
    await using watched = await openContext(browser, { baseURL: program.urls.web });
    const { page, offences } = watched;
    await openList(page, 'Parts', 120);
    await page.getByRole('radio', { name: /Review/ }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('119 of 120 done.').waitFor();
    await page.getByText('1 skipped.').waitFor();
    // In one search, because an undo is offered for ten seconds.
    const changed = 'howler.labels.generic:reviewed AND howler.score:42 AND howler.escalation:alert';
    assert.equal(await countOf(`howler.analytic:Parts AND ${changed}`), 120);
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal(await countOf('howler.analytic:Parts AND howler.labels.generic:reviewed'), 1);
    assert.equal(await countOf('howler.analytic:Parts AND howler.score:7 AND howler.escalation:hit'), 120);
    assert.deepEqual(offences, { violations: [], foreign: [], errors: [] });
  });

  it('shows labels in the rows without a new search, and lists refusals in the report', async () => {
    await createAlerts('Refused', 3);
    await createAction('Note it', 'Refused', {
      add_label: { category: 'generic', label: 'noted' },
      add_to_case: { case_id: 'no-such-case' },
    });
    await using watched = await openContext(browser, { baseURL: program.urls.web, theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    await openList(page, 'Refused', 3);
    await page.getByRole('radio', { name: /Note it/ }).check();
    await page.getByRole('button', { name: 'Lancer', exact: true }).click();
    await page.getByText('3 échecs.').waitFor();
    await until(
      'the labels are in the rows',
      async () => (await page.getByRole('row', { name: /noted/ }).count()) === 3,
    );
    await page.getByRole('button', { name: 'Rapport' }).click();
    const report = page.getByRole('dialog', { name: '3 alertes n’ont pas été modifiées' });
    await report
      .getByText(/no-such-case|case/i)
      .first()
      .waitFor();
    assert.equal(await report.getByRole('listitem').count(), 3);
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.deepEqual(offences, { violations: [], foreign: [], errors: [] });
  });

  it('stops between two parts when it is cancelled', async () => {
    await createAlerts('Cancelled', 250);
    await createAction('Slow', 'Cancelled', { add_label: { category: 'generic', label: 'slow' } });
    await using watched = await openContext(browser, { baseURL: program.urls.web });
    const { page, offences } = watched;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/action/*/execute', async (route) => {
      await held;
      await route.continue();
    });
    await openList(page, 'Cancelled', 250);
    await page.getByRole('radio', { name: /Slow/ }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Progress' }).getByRole('button', { name: 'Cancel' }).click();
    release();
    await page.getByText('150 left alone.').waitFor();
    assert.equal(await countOf('howler.analytic:Cancelled AND howler.labels.generic:slow'), 100);
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal(await countOf('howler.analytic:Cancelled AND howler.labels.generic:slow'), 0);
    assert.deepEqual(offences, { violations: [], foreign: [], errors: [] });
  });
});
