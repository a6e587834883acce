import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const HOUR = 3_600_000;

describe('the home page', { skip }, () => {
  const fixture = programFixture();

  it('shows open alerts over time, cards of views as their lists, and new alerts without a reload', async () => {
    const { program } = fixture;
    const alert = (name: string, hours: number, more: object = {}) => ({
      'howler.analytic': name,
      'event.created': new Date(Date.now() - hours * HOUR).toISOString(),
      ...more,
    });
    const [stored = ''] = await storeAlerts(program, [
      alert('Common', 1),
      alert('Common', 30, { 'howler.assignment': 'user' }),
      alert('Rare', 50, { 'howler.status': 'in-progress' }),
      alert('Rare', 60 * 24),
    ]);
    const view = await sendJson(program, '/api/v1/view/', {
      title: 'Oldest of the week',
      type: 'personal',
      query: '*:*',
      sort: 'event.created asc',
      span: 'date.range.1.week',
    });
    const config = JSON.stringify({ viewId: view.view_id, limit: 2 });
    const dashboard = [{ entry_id: 'card', type: 'view', config }];
    await sendJson(program, '/api/v1/user/admin', { dashboard }, { method: 'PUT' });
    await using watched = await fixture.openSignedIn('/', { language: 'fr' });
    const { page, offences } = watched;
    const card = (name: string) => page.getByRole('region', { name, exact: true });

    const oldest = card('Oldest of the week');
    await oldest.getByText('3 alertes').waitFor();
    const first = await oldest.getByRole('listitem').allTextContents();
    assert.deepEqual(
      first.map((row) => /Rare|Common/.exec(row)?.[0]),
      ['Rare', 'Common'],
      'as many as the card asks for, the oldest first, without the one of another month',
    );

    const statuses = card('Ouvertes, par état');
    await statuses.getByRole('button', { name: /En cours/ }).waitFor();
    await statuses.getByRole('button', { name: /tableau/i }).click();
    const table = statuses.getByRole('table');
    await table.getByRole('columnheader', { name: 'Ouvert' }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);

    const steps: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/first-steps')) steps.push(request.url());
    });
    await storeAlerts(program, [alert('Fresh', 0)]);
    await sendJson(program, `/api/v1/hit/${stored}/comments`, { value: 'Heard' });
    await oldest.getByText('4 alertes').waitFor();
    assert.deepEqual(steps, [], 'no count for first steps that are not shown');

    await card('Ouvertes, par analytique').getByRole('button', { name: /Rare/ }).click();
    await page.waitForURL(/\/alerts\?/);
    await page.getByText('2 alertes').first().waitFor();
    await page.goBack();
    await oldest.getByRole('link', { name: /Ouvrir/ }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === view.view_id);
    assertNoOffences(offences);
  });

  it('lets a person choose, order and remove cards of views and analytics', async () => {
    const { program } = fixture;
    await storeAlerts(program, [{ 'howler.analytic': 'Beaconing' }]);
    await sendJson(program, '/api/v1/view/', {
      title: 'Watched',
      type: 'personal',
      query: '*:*',
      sort: 'timestamp desc',
    });
    const unknown = { entry_id: 'kept', type: 'tasks', config: '{}' };
    await sendJson(program, '/api/v1/user/admin', { dashboard: [unknown] }, { method: 'PUT' });
    const stored = async () =>
      (await program.request('/api/v1/user/whoami', { basic: ADMIN })).json.api_response.dashboard as {
        readonly entry_id: string;
        readonly type: string;
      }[];
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Choose cards' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cards of this page' });
    const add = dialog.getByRole('button', { name: 'Add a card' });
    await add.click();
    await dialog.getByText('This field is required.').waitFor();
    await dialog.getByRole('combobox', { name: 'View' }).fill('Watched');
    await page.getByRole('option', { name: 'Watched' }).click();
    await add.click();
    await dialog.getByRole('cell', { name: 'Watched', exact: true }).waitFor();
    await dialog.getByRole('combobox', { name: 'Card of' }).click();
    await page.getByRole('option', { name: 'Analytic' }).click();
    await dialog.getByRole('combobox', { name: 'Analytic' }).fill('Beaconing');
    await page.getByRole('option', { name: 'Beaconing' }).click();
    await add.click();
    await dialog.getByRole('cell', { name: 'Alerts over time' }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await dialog.getByRole('button', { name: 'Move Beaconing up' }).click();
    await until('the order is stored', async () => {
      const types = (await stored()).map(({ type }) => type);
      return types.join(' ') === 'tasks analytic view';
    });
    await dialog.getByRole('button', { name: 'Remove Watched' }).click();
    await dialog.getByRole('cell', { name: 'Watched', exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Beaconing · Alerts over time' }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Watched' }).count(), 0);
    assert.deepEqual((await stored())[0], unknown, 'cards that this page does not know stay');
    assertNoOffences(offences);
  });
});
