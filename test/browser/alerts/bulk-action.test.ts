import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, alertsOf, countAlerts, listOf, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const SCORED = { 'howler.score': 7 };

describe('an action on the page of alerts', { skip }, () => {
  const fixture = programFixture();

  async function createAction(name: string, analytic: string, operations: Record<string, object>): Promise<void> {
    await sendJson(fixture.program, '/api/v1/action/', {
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
    await signIn(page, listOf(analytic));
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('r');
  }

  it('runs in parts, says what it left out and why, and is undone as one', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Parts', 120, SCORED));
    // One alert has the label already: the operation skips it, and the undo must leave it there.
    await fixture.program.request(`/api/v1/hit/${ids[3]}/labels/generic`, {
      method: 'PUT',
      basic: ADMIN,
      json: { value: ['reviewed'] },
    });
    await createAction('Review', 'Parts', {
      add_label: { category: 'generic', label: 'reviewed' },
      prioritization: { field: 'score', value: '42' },
      promote: { escalation: 'alert' },
    });
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openList(page, 'Parts', 120);
    await page.getByRole('radio', { name: /Review/ }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('119 of 120 done.').waitFor();
    await page.getByText('1 skipped.').waitFor();
    // In one search, because an undo is offered for ten seconds.
    const changed = 'howler.labels.generic:reviewed AND howler.score:42 AND howler.escalation:alert';
    assert.equal(await countAlerts(fixture.program, `howler.analytic:Parts AND ${changed}`), 120);
    let requests = 0;
    page.on('request', (request) => {
      if (/\/api\/v1\/hit\//.test(request.url())) requests += 1;
    });
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    // One read, and a write each for the triage, the label and the field.
    assert.ok(requests <= 4 * 120, `${requests} requests`);
    assert.equal(await countAlerts(fixture.program, 'howler.analytic:Parts AND howler.labels.generic:reviewed'), 1);
    assert.equal(
      await countAlerts(fixture.program, 'howler.analytic:Parts AND howler.score:7 AND howler.escalation:hit'),
      120,
    );
    assertNoOffences(offences);
  });

  it('shows labels in the rows without a new search, and lists refusals in the report', async () => {
    await storeAlerts(fixture.program, alertsOf('Refused', 3, SCORED));
    await createAction('Note it', 'Refused', {
      add_label: { category: 'generic', label: 'noted' },
      add_to_case: { case_id: 'no-such-case' },
    });
    await using watched = await fixture.open({ theme: 'light', language: 'fr' });
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
    assertNoOffences(offences);
  });

  it('stops between two parts when it is cancelled', async () => {
    await storeAlerts(fixture.program, alertsOf('Cancelled', 250, SCORED));
    await createAction('Slow', 'Cancelled', { add_label: { category: 'generic', label: 'slow' } });
    await using watched = await fixture.open();
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
    const progress = page.getByRole('region', { name: 'Changes of several alerts' });
    // The alerts are read before the first of them is changed.
    await progress.getByText('0 of 250', { exact: true }).waitFor();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    release();
    await page.getByText('150 not processed.').waitFor();
    assert.equal(await countAlerts(fixture.program, 'howler.analytic:Cancelled AND howler.labels.generic:slow'), 100);
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal(await countAlerts(fixture.program, 'howler.analytic:Cancelled AND howler.labels.generic:slow'), 0);
    assertNoOffences(offences);
  });
});
