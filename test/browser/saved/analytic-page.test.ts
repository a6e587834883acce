import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { ANALYTIC_TABS } from '../../../ui/src/features/analytics/analytic-tabs.ts';
import { en } from '../../../ui/src/i18n/en/index.ts';
import { alertsOf, sendJson, someIdentifier, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { narrowProblems } from '../shell/narrow-check.ts';

const ANALYTIC = 'Tabbed Analytic';
const words = en.analytics;

describe('the page of an analytic', { skip }, () => {
  const fixture = programFixture();
  let id: string;
  let commented: string;

  const comment = (alert: string, value: string) =>
    sendJson(fixture.program, `/api/v1/hit/${alert}/comments`, { value });

  before(async () => {
    const [first = '', second = ''] = await storeAlerts(fixture.program, [
      ...alertsOf(ANALYTIC, 2, { 'howler.detection': 'One' }),
      ...alertsOf(ANALYTIC, 1, { 'howler.detection': 'Two' }),
    ]);
    commented = second;
    await comment(first, 'Said **first**');
    await comment(second, 'Said <b>last</b>');
    id = await someIdentifier(fixture.program, 'analytic', 'analytic_id');
    const layout = { analytic: ANALYTIC.toLowerCase(), detection: 'One' };
    await sendJson(fixture.program, '/api/v1/template/', { ...layout, type: 'global', keys: ['source.ip'] });
    await sendJson(fixture.program, '/api/v1/overview/', { ...layout, content: 'Seen at {{source.ip}}' });
    await sendJson(fixture.program, '/api/v1/overview/', { analytic: 'Another Analytic', content: 'Elsewhere' });
  });

  it('has its tabs in the address, and keys for the next and the previous one', async () => {
    await using watched = await fixture.openSignedIn(`/analytics/${id}`);
    const { page, offences } = watched;
    const selected = () => page.locator('[role=tab][aria-selected=true]').textContent();
    const tabOf = () => new URL(page.url()).searchParams.get('tab');
    await page.getByRole('tab', { name: words.tabs.about }).waitFor();
    assert.equal(tabOf(), null);
    for (const tab of ANALYTIC_TABS.slice(1)) {
      await page.keyboard.press(']');
      await until(`the tab ${tab} is open`, async () => tabOf() === tab);
      assert.match((await selected()) ?? '', new RegExp(`^${words.tabs[tab]}`));
    }
    await page.keyboard.press(']');
    await page.keyboard.press('[');
    await until('the tab before the last is open', async () => tabOf() === 'templates');
    await page.reload();
    await page.getByRole('link', { name: en.templates.create }).waitFor();
    assert.equal(await selected(), words.tabs.templates);
    assertNoOffences(offences);
  });

  it('shows when its alerts were created, and leads to those of a range and of an escalation', async () => {
    await using watched = await fixture.openSignedIn(`/analytics/${id}`, { theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    const chart = page.getByRole('figure', { name: 'Alertes créées au cours des 3 derniers mois' });
    await chart.getByRole('button', { name: /tableau/i }).click();
    const counts = await chart.getByRole('row').filter({ hasText: /\d/ }).allTextContents();
    assert.ok(counts.length > 0);
    await chart.getByRole('button', { name: /tableau/i }).click();
    const slider = chart.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/alerts' && url.searchParams.has('span'));
    await page.goto(`/analytics/${id}`);
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Alertes par escalade' }) });
    await section.getByRole('button').first().click();
    await page.waitForURL((url) => /howler\.escalation/.test(url.searchParams.get('q') ?? ''));
    assertNoOffences(offences);
  });

  it('shows the comments on its alerts, the newest first, and leads to the alerts', async () => {
    await using watched = await fixture.openSignedIn(`/analytics/${id}?tab=alertComments`);
    const { page, offences } = watched;
    const comments = page.getByRole('tabpanel').getByRole('listitem');
    await comments.nth(0).getByText('Said <b>last</b>').waitFor();
    await comments.nth(1).locator('strong', { hasText: 'first' }).waitFor();
    assert.equal(await comments.count(), 2);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('combobox', { name: en.saved.detection }).click();
    await page.getByRole('option', { name: 'Two', exact: true }).click();
    await page.getByText(words.noComments).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('detection'), 'Two');
    await page.goto(`/analytics/${id}?tab=alertComments&detection=One`);
    await comments.nth(0).getByRole('link', { name: words.openAlert }).click();
    await page.waitForURL(
      (url) => url.pathname === `/alerts/${commented}` && url.searchParams.get('tab') === 'comments',
    );
    assertNoOffences(offences);
  });

  it('shows its templates and overviews, and begins another one for it', async () => {
    await using watched = await fixture.openSignedIn(`/analytics/${id}?tab=overviews`);
    const { page, offences } = watched;
    await page.getByText('Seen at {{source.ip}}').waitFor();
    assert.equal(await page.getByText('Elsewhere').count(), 0);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('link', { name: 'One', exact: true }).click();
    const content = page.getByRole('textbox', { name: en.overviews.content });
    await content.waitFor();
    assert.equal(await content.inputValue(), 'Seen at {{source.ip}}');
    for (const [tab, create] of [
      ['overviews', en.overviews.create],
      ['templates', en.templates.create],
    ] as const) {
      await page.goto(`/analytics/${id}?tab=${tab}`);
      await page.getByRole('link', { name: create }).click();
      const analytic = page.getByRole('combobox', { name: en.saved.analytic, exact: true });
      await analytic.waitFor();
      assert.equal(await analytic.inputValue(), ANALYTIC);
    }
    assertNoOffences(offences);
  });

  it('has no control that is too small or cut at 320 pixels', async () => {
    await using watched = await fixture.openSignedIn('/settings', { width: 320, height: 640 });
    const { page } = watched;
    for (const tab of ANALYTIC_TABS) {
      await page.goto(`/analytics/${id}?tab=${tab}`);
      await page.getByRole('tabpanel').locator('*').first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await narrowProblems(page), [], tab);
    }
  });

  it('keeps an edited comment over a reload', async () => {
    await sendJson(fixture.program, `/api/v1/analytic/${id}/comments`, { value: 'Before' });
    await using watched = await fixture.openSignedIn(`/analytics/${id}?tab=comments`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: en.common.edit, exact: true }).click();
    const field = page.getByRole('form', { name: en.common.edit }).getByRole('textbox');
    await field.fill('Edited');
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Edited');
    await page.getByRole('button', { name: en.common.save, exact: true }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByText('Edited', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Edited', { exact: true }).waitFor();
    assert.equal(await field.count(), 0);
    assertNoOffences(offences);
  });
});
