import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

describe('views', { skip }, () => {
  const fixture = programFixture();
  before(async () => {
    const alerts = ['Shown', 'Shown', 'Other'].map((analytic, index) => ({
      'howler.analytic': analytic,
      'event.created': new Date(Date.now() - index * 60_000).toISOString(),
      'howler.outline.summary': `Alert ${index}`,
      'source.ip': `203.0.113.${index}`,
    }));
    await storeAlerts(fixture.program, alerts);
  });

  const send = (path: string, json: unknown, method = 'POST') =>
    fixture.program.request(path, { method, basic: ADMIN, json });

  async function viewNamed(title: string) {
    const { json } = await fixture.program.request('/api/v1/view/', { basic: ADMIN });
    return json.api_response.find((view: { title: string }) => view.title === title);
  }

  async function rowCount(page: Page, count: number): Promise<void> {
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
  }

  async function saveView(page: Page, title: string, type: 'Me alone' | 'All users'): Promise<string> {
    await page.getByRole('button', { name: 'Save as a view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByRole('textbox').fill(title);
    await dialog.getByRole('radio', { name: type }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    return (await viewNamed(title)).view_id;
  }

  it('are saved with their columns, and opened by their address by another user', async () => {
    await using first = await fixture.openSignedIn('/alerts?q=howler.analytic:Shown');
    await rowCount(first.page, 2);
    await first.page.getByRole('button', { name: 'Columns' }).click();
    await first.page.getByRole('menuitemcheckbox', { name: 'Labels' }).click();
    await first.page.getByRole('menuitem', { name: 'Add a field as a column' }).click();
    const choice = first.page.getByRole('dialog').getByRole('combobox');
    await choice.fill('source.ip');
    await first.page
      .getByRole('option', { name: /^source\.ip/ })
      .first()
      .click();
    await first.page.getByRole('columnheader', { name: 'source.ip' }).waitFor();
    const shared = await saveView(first.page, 'Shared one', 'All users');
    const personal = await saveView(first.page, 'Private one', 'Me alone');

    await using second = await fixture.openSignedIn(`/alerts?view=${shared}`, { theme: 'light', as: { user: 'user' } });
    await rowCount(second.page, 2);
    await second.page.getByRole('columnheader', { name: 'source.ip' }).waitFor();
    assert.equal(await second.page.getByRole('columnheader', { name: 'Labels' }).count(), 0);
    // The columns of this user stay as they were.
    await second.page.goto('/alerts');
    await rowCount(second.page, 3);
    await second.page.getByRole('columnheader', { name: 'Labels' }).waitFor();
    assert.equal(await second.page.getByRole('columnheader', { name: 'source.ip' }).count(), 0);

    await second.page.goto(`/alerts?view=${personal}`);
    await second.page.getByText('This view was not found').waitFor();
    assert.equal(await second.page.getByRole('row').count(), 0);
    await second.page.getByRole('button', { name: 'Show all alerts' }).click();
    await rowCount(second.page, 3);
    for (const { offences } of [first, second]) {
      assertNoOffences(offences);
    }
  });

  it('keep changed columns once they are saved by a person who may', async () => {
    const json = { title: 'Narrow', type: 'global', query: 'howler.analytic:Shown' };
    const columns = [{ field: 'event.created' }, { field: 'source.ip', width: 90 }];
    const created = await send('/api/v1/view/', { ...json, settings: { columns } });
    const id = created.json.api_response.view_id;
    await using watched = await fixture.openSignedIn(`/alerts?view=${id}`, { language: 'fr', theme: 'light' });
    const { page, offences } = watched;
    await page.getByRole('columnheader', { name: 'source.ip' }).waitFor();
    await page.getByRole('button', { name: 'Colonnes' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'source.ip' }).click();
    await page.getByRole('columnheader', { name: 'source.ip' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    assert.equal((await viewNamed('Narrow')).settings.columns.length, 2);
    await page.getByRole('button', { name: 'Colonnes' }).click();
    await page.getByRole('menuitem', { name: 'Enregistrer les colonnes dans « Narrow »' }).click();
    await until('the view has one column', async () => (await viewNamed('Narrow')).settings.columns.length === 1);

    await using other = await fixture.openSignedIn(`/alerts?view=${id}`, { as: { user: 'user' } });
    await rowCount(other.page, 2);
    await other.page.getByRole('button', { name: 'Columns' }).click();
    await other.page.getByRole('menuitem', { name: 'Add a field as a column' }).waitFor();
    assert.equal(await other.page.getByRole('menuitem', { name: /Save the columns/ }).count(), 0);
    assertNoOffences(offences);
  });

  it('ask for their own alerts alone, and for none where they are not there', async () => {
    const json = { title: 'By triage', type: 'global', query: 'howler.analytic:Shown', sort: 'howler.triaged desc' };
    const created = await send('/api/v1/view/', json);
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    const asked: { readonly kind: string; readonly query: string; readonly rows?: number }[] = [];
    await page.exposeFunction('reportSearch', (search: (typeof asked)[number]) => asked.push(search));
    // Playwright does not know the body of a request that was made with `new Request`.
    await page.addInitScript(() => {
      const send = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const request = new Request(input, init);
        const [, kind] = /\/search\/(hit|facet\/hit|histogram\/hit)\b/.exec(request.url) ?? [];
        const report: unknown = Reflect.get(globalThis, 'reportSearch');
        if (kind !== undefined && typeof report === 'function') {
          await report({ ...(await request.clone().json()), kind });
        }
        return send(request);
      };
    });
    await page.goto(`/alerts?view=${created.json.api_response.view_id}`);
    await rowCount(page, 2);
    await page.locator('canvas').waitFor();
    await page.getByRole('complementary').getByText('Shown').waitFor();
    assert.deepEqual(new Set(asked.map(({ query }) => query)), new Set(['howler.analytic:Shown']));
    // The chart reads its first and last alert.
    const lists = asked.filter(({ kind, rows = 0 }) => kind === 'hit' && rows > 1);
    assert.equal(lists.length, 1);
    assert.equal(asked.filter(({ kind }) => kind === 'facet/hit').length, 1);

    asked.length = 0;
    await page.goto('/alerts?view=no-such-view');
    await page.getByText('This view was not found').waitFor();
    assert.deepEqual(asked, []);
    assertNoOffences(offences);
  });

  it('open the next alert after a verdict where they say so', async () => {
    const json = { title: 'Moving on', type: 'global', query: 'howler.analytic:Shown' };
    const created = await send('/api/v1/view/', { ...json, settings: { advance_on_triage: true } });
    await using watched = await fixture.openSignedIn(`/alerts?view=${created.json.api_response.view_id}`);
    const { page, offences } = watched;
    await rowCount(page, 2);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const pane = page.getByRole('region', { name: 'Alert', exact: true });
    await pane.getByText('Alert 0', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: /^Assess / }).waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('Enter');
    await pane.getByText('Alert 1', { exact: true }).waitFor();
    assertNoOffences(offences);
  });
});
