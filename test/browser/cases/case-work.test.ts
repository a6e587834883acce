import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import { until } from '../../../src/testing/until.ts';
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

const ADMIN = 'admin:devkey:admin';

describe('the work on a case', { skip }, () => {
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
      'howler.outline.summary': `Alert ${index}`,
    }));
    const { valid } = await send('/api/v1/hit?refresh=true', alerts);
    return valid.map(({ howler }: { howler: { id: string } }) => howler.id);
  }

  const stored = async (id: string) =>
    (await program.request(`/api/v2/case/${id}`, { basic: ADMIN })).json.api_response;

  it('drags an item into a folder, and shows alerts in the order of their time', async () => {
    const [one = '', two = ''] = await createAlerts('Dragged', 2);
    const { case_id: id } = await send('/api/v2/case/?refresh=true', { title: 'Dragging', summary: 'A summary.' });
    await send(`/api/v2/case/${id}/items`, { type: 'folder', name: 'evidence', value: 'evidence' });
    for (const value of [one, two])
      await send(`/api/v2/case/${id}/items`, { type: 'hit', value, name: `Item ${value}` });
    await using watched = await openContext(browser, { baseURL: program.urls.web, theme: 'light' });
    const { page, offences } = watched;
    await signIn(page, `/cases/${id}?tab=items`);
    const item = page.getByRole('treeitem', { name: new RegExp(one) });
    await item.dragTo(page.getByRole('treeitem', { name: /evidence/ }));
    await page.locator('[role=treeitem][aria-level="3"]').waitFor();
    const { items } = await stored(id);
    const folder = items.find(({ type }: { type: string }) => type === 'folder');
    const parents = items.map(({ value, parent }: { value: string; parent?: string }) => [value, parent]);
    assert.deepEqual(
      parents.filter(([value]: [string]) => value === one || value === two),
      [
        [one, folder.id],
        [two, undefined],
      ],
    );
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('grid', { name: 'Timeline' }).getByRole('row').nth(2).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('keeps notes, and a rule tells how many older alerts it matches before it takes them', async () => {
    await createAlerts('Backfilled', 7);
    const { case_id: id } = await send('/api/v2/case/?refresh=true', { title: 'Ruled', summary: 'A summary.' });
    await using watched = await openContext(browser, { baseURL: program.urls.web });
    const { page, offences } = watched;
    await signIn(page, `/cases/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('# Findings\n\n<b>not markup</b> but *words*');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    assert.equal(await page.locator('b', { hasText: 'not markup' }).count(), 0);

    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'New rule' }).click();
    const form = page.getByRole('dialog', { name: 'New rule' });
    await form.getByRole('textbox', { name: 'Query' }).fill('howler.analytic:(');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('The query ends where a value or a closing bracket is needed.').waitFor();
    await form.getByRole('textbox', { name: 'Query' }).fill('howler.analytic:Backfilled');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Backfill', exact: true }).click();
    await page.getByText('7 records match.').waitFor();
    await page.getByRole('button', { name: 'Put into the case' }).click();
    await page.getByText('7 records are being put into the case.').waitFor();
    await until('the alerts are in the case', async () => {
      const { items = [] } = await stored(id);
      return items.filter(({ type }: { type: string }) => type === 'hit').length === 7;
    });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('moves a card of the board to another status by a drag', async () => {
    const { case_id: id } = await send('/api/v2/case/?refresh=true', { title: 'Tired', summary: 'A summary.' });
    await using watched = await openContext(browser, { baseURL: program.urls.web, language: 'fr' });
    const { page, offences } = watched;
    await signIn(page, '/cases?layout=board');
    const target = page.getByRole('region', { name: 'Résolu' });
    await page.locator('[draggable=true]', { hasText: 'Tired' }).dragTo(target);
    await target.getByRole('link', { name: 'Tired' }).waitFor();
    await until('the status is stored', async () => (await stored(id)).status === 'resolved');
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
