import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { alertsOf, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { storeCase, storedCase } from './case-data.ts';

describe('the work on a case', { skip }, () => {
  const fixture = programFixture();

  it('drags an item into a folder, and shows alerts in the order of their time', async () => {
    const [one = '', two = ''] = await storeAlerts(fixture.program, alertsOf('Dragged', 2));
    const id = await storeCase(fixture.program, { title: 'Dragging' });
    await sendJson(fixture.program, `/api/v2/case/${id}/items`, {
      type: 'folder',
      name: 'evidence',
      value: 'evidence',
    });
    for (const value of [one, two])
      await sendJson(fixture.program, `/api/v2/case/${id}/items`, { type: 'hit', value, name: `Item ${value}` });
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=items`, { theme: 'light' });
    const { page, offences } = watched;
    const item = page.getByRole('treeitem', { name: new RegExp(one) });
    await item.dragTo(page.getByRole('treeitem', { name: /evidence/ }));
    await page.locator('[role=treeitem][aria-level="3"]').waitFor();
    const { items } = await storedCase(fixture.program, id);
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
    assertNoOffences(offences);
  });

  it('keeps notes, and a rule tells how many older alerts it matches before it takes them', async () => {
    await storeAlerts(fixture.program, alertsOf('Backfilled', 7));
    const id = await storeCase(fixture.program, { title: 'Ruled' });
    await using watched = await fixture.openSignedIn(`/cases/${id}`);
    const { page, offences } = watched;
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
      const { items = [] } = await storedCase(fixture.program, id);
      return items.filter(({ type }: { type: string }) => type === 'hit').length === 7;
    });
    assertNoOffences(offences);
  });

  it('moves a card of the board to another status by a drag', async () => {
    const id = await storeCase(fixture.program, { title: 'Tired' });
    await using watched = await fixture.openSignedIn('/cases?layout=board', { language: 'fr' });
    const { page, offences } = watched;
    const target = page.getByRole('region', { name: 'Résolu' });
    await page.locator('[draggable=true]', { hasText: 'Tired' }).dragTo(target);
    await target.getByRole('link', { name: 'Tired' }).waitFor();
    await until('the status is stored', async () => (await storedCase(fixture.program, id)).status === 'resolved');
    assertNoOffences(offences);
  });
});
