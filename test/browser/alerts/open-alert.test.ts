import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { alertsOf, listOf, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('an open alert', { skip }, () => {
  const fixture = programFixture();
  const pane = (page: Page) => page.getByRole('region', { name: 'Alert', exact: true });
  const take = (page: Page) => pane(page).getByRole('button', { name: /^Take/ });
  const assigneeOf = async (id: string) => (await storedAlert(fixture.program, id)).assignment;

  async function openList(analytic: string, count: number, address = '') {
    const watched = await fixture.openSignedIn(`${listOf(analytic)}${address}`);
    await watched.page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
    return watched;
  }

  it('that is not among the rows is changed by its buttons and by keys', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Elsewhere', 1));
    await storeAlerts(fixture.program, alertsOf('Listed', 2));
    await using watched = await openList('Listed', 2, `&id=${id}`);
    const { page, offences } = watched;
    await take(page).click();
    await page.getByText('The alert is yours.').first().waitFor();
    assert.equal(await assigneeOf(id), 'admin');
    await pane(page).getByText('In progress', { exact: true }).waitFor();
    await page.keyboard.press('p');
    await page.getByText('Promoted.').first().waitFor();
    assert.equal((await storedAlert(fixture.program, id)).escalation, 'alert');
    await pane(page)
      .getByRole('button', { name: /^Assess/ })
      .click();
    await page.getByRole('dialog', { name: 'Assess the alert' }).waitFor();
    assertNoOffences(offences);
  });

  it('is changed alone by its buttons, and the selected rows by keys', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Beside', 4));
    await using watched = await openList('Beside', 4, `&id=${ids[0]}`);
    const { page, offences } = watched;
    await pane(page).getByText('Alert 0', { exact: true }).waitFor();
    for (const index of [0, 1]) {
      await page
        .getByRole('row', { name: new RegExp(`Alert ${index}`) })
        .getByRole('checkbox')
        .check();
    }
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await pane(page).getByText('Alert 3', { exact: true }).waitFor();
    assert.equal(await take(page).locator('kbd').count(), 0, 'a key that changes other alerts is not shown');
    await take(page).click();
    await page.getByText('The alert is yours.').first().waitFor();
    assert.deepEqual(await Promise.all(ids.map(assigneeOf)), ['unassigned', 'unassigned', 'unassigned', 'admin']);
    await page.keyboard.press('s');
    await page.getByText('2 alerts are yours.').first().waitFor();
    assert.deepEqual(await Promise.all(ids.map(assigneeOf)), ['admin', 'admin', 'unassigned', 'admin']);
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Comment on 2 alerts' }).waitFor();
    assertNoOffences(offences);
  });

  it('begins at its top with its values cut, also after one that was scrolled and shown whole', async () => {
    const alerts = alertsOf('Walked', 2).map((alert, index) => ({
      ...alert,
      process: { command_line: `${index} ${'word '.repeat(2000)}` },
    }));
    const [id] = await storeAlerts(fixture.program, alerts);
    for (const height of [720, 540]) {
      await using watched = await openList('Walked', 2, `&id=${id}`);
      const { page, offences } = watched;
      await page.setViewportSize({ width: 1280, height });
      const command = pane(page).locator('[data-field="process.command_line"]');
      const whole = command.getByRole('button', { name: /^Show all/ });
      await whole.click();
      await whole.waitFor({ state: 'detached' });
      await pane(page).hover();
      await page.mouse.wheel(0, 2000);
      const scrolled = () =>
        pane(page).evaluate((section) =>
          [section, ...section.querySelectorAll('*')].reduce((sum, { scrollTop }) => sum + scrollTop, 0),
        );
      await until('the alert is scrolled', async () => (await scrolled()) > 200);
      await page.keyboard.press('j');
      await command.getByText('1 word').waitFor();
      await whole.waitFor();
      assert.equal(await scrolled(), 0);
      assertNoOffences(offences);
    }
  });

  it('has its tab in the address, and the next one begins with its overview', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Tabs', 2));
    await using watched = await openList('Tabs', 2, `&id=${ids[0]}&tab=history`);
    const { page, offences } = watched;
    const selected = (name: string) => pane(page).getByRole('tab', { name, selected: true });
    const tab = () => new URL(page.url()).searchParams.get('tab');
    await selected('History').waitFor();
    await page.keyboard.press(']');
    await selected('Analytic').waitFor();
    assert.equal(tab(), 'analytic');
    await page.reload();
    await selected('Analytic').waitFor();
    await page.keyboard.press('j');
    await pane(page).getByText('Alert 1', { exact: true }).waitFor();
    await selected('Overview').waitFor();
    assert.equal(tab(), null);
    assertNoOffences(offences);
  });

  it('is where a walk by keys begins, after a link and after a search for new alerts', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Walk', 5));
    await using watched = await openList('Walk', 5, `&id=${ids[2]}`);
    const { page, offences } = watched;
    await pane(page).getByText('Alert 2', { exact: true }).waitFor();
    await pane(page).getByRole('button', { name: 'Next' }).click();
    await pane(page).getByText('Alert 3', { exact: true }).waitFor();
    const asked = page.waitForResponse((response) => response.url().includes('/search/hit'));
    await page.keyboard.press('.');
    await asked;
    await page.keyboard.press('k');
    await pane(page).getByText('Alert 2', { exact: true }).waitFor();
    assertNoOffences(offences);
  });

  it('alone on its page has its title once, and leads to searches of the list', async () => {
    const fields = { 'howler.detection': 'Beacon', 'source.ip': '203.0.113.77', 'related.ip': ['203.0.113.77'] };
    const [id = '', other = ''] = await storeAlerts(fixture.program, alertsOf('Alone', 2, fields));
    await using watched = await fixture.openSignedIn(`/alerts/${id}`);
    const { page, offences } = watched;
    await page.getByRole('heading', { level: 1, name: 'Alone · Beacon' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: /Beacon/ }).count(), 1);
    assert.deepEqual(await accessibilityProblems(page), []);
    await pane(page).getByRole('button', { name: 'Actions for 203.0.113.77' }).first().click();
    await page.getByRole('menuitem', { name: 'Only alerts with it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.locator('[role=grid][aria-rowcount="3"]').waitFor();
    await pane(page).waitFor();
    await page.goto(`/alerts/${id}?tab=related`);
    const shared = page.getByRole('listitem').filter({ hasText: '203.0.113.77' });
    await shared.getByText('1', { exact: true }).waitFor();
    await shared.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row', { name: /Alert 1/ }).waitFor();
    await page.locator('[role=grid][aria-rowcount="2"]').waitFor();
    assert.ok(other);
    assertNoOffences(offences);
  });

  it('counts other alerts by the pivots of dossiers, and shows them', async () => {
    const json = {
      ...{ title: 'Pivots', query: 'howler.analytic:Pivot', type: 'global', leads: [] },
      pivots: [
        {
          ...{ label: { en: 'Same user', fr: 'Même compte' }, value: 'https://t.example/{{u}}', format: 'link' },
          mappings: [{ key: 'u', field: 'user.name' }],
        },
      ],
    };
    await sendJson(fixture.program, '/api/v1/dossier/?refresh=true', json);
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Pivot', 3, { 'user.name': 'j.doe' }));
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=related`);
    const { page, offences } = watched;
    const pivot = page.getByRole('listitem').filter({ hasText: 'Same user' });
    await pivot.getByText('2', { exact: true }).waitFor();
    await pivot.getByRole('button', { name: 'Show' }).click();
    await page.locator('[role=grid][aria-rowcount="3"]').waitFor();
    assert.equal(await page.getByRole('row', { name: /Alert 0/ }).count(), 0);
    assertNoOffences(offences);
  });

  it('that is not there has no title of its own', async () => {
    await using watched = await fixture.openSignedIn('/alerts/no-such-alert');
    const { page, offences } = watched;
    await page.getByText('This alert was not found').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Alert', exact: true }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('is assessed by number only once its analytic says what the numbers mean', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Numbered', 1));
    const analytics = await sendJson(fixture.program, '/api/v1/analytic/', undefined, { method: 'GET' });
    const { analytic_id: analytic } = analytics.find(({ name }: { name: string }) => name === 'Numbered');
    const settings = { valid_assessments: ['legitimate', 'recon'], rationales: [], dossiers: [] };
    const triage_settings = { ...settings, skip_rationale: true };
    await sendJson(fixture.program, `/api/v1/analytic/${analytic}`, { triage_settings }, { method: 'PUT' });
    await using watched = await fixture.open();
    const { page, offences } = watched;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/search/analytic', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/alerts/${id}`);
    await page.locator('input[autocomplete=username]').fill('admin');
    await page.locator('input[autocomplete=current-password]').fill('admin');
    await page.keyboard.press('Enter');
    await pane(page).getByText('Alert 0', { exact: true }).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Assess the alert' });
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('button', { pressed: true }).count(), 0, 'the number chose nothing');
    release();
    await dialog.getByText('The analytic asks for no reason.').waitFor();
    assert.equal(await dialog.getByRole('textbox').count(), 0);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('1');
    await until('the assessment is stored', async () => {
      const { assessment } = await storedAlert(fixture.program, id);
      return assessment === 'legitimate';
    });
    await pane(page).getByRole('tab', { name: 'Analytic' }).click();
    await pane(page).getByText('not asked for').waitFor();
    assertNoOffences(offences);
  });
});
