import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADMIN, alertsOf, listOf, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

const COLLEAGUE = { language: 'fr', theme: 'light', as: { user: 'user' } } as const;

describe('two browsers at the same alerts', { skip }, () => {
  const fixture = programFixture();

  it('a transition in one is seen in the row of the other, in its place', async () => {
    await storeAlerts(fixture.program, alertsOf('Moved', 3));
    await using first = await fixture.openSignedIn(listOf('Moved'));
    await using second = await fixture.openSignedIn(listOf('Moved'), COLLEAGUE);
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
    assertNoOffences(first.offences);
    assertNoOffences(second.offences);
  });

  it('new alerts wait behind a button, and deleted ones stay struck through until the next search', async () => {
    const [gone = ''] = await storeAlerts(fixture.program, alertsOf('Waiting', 3));
    await using watched = await fixture.openSignedIn(listOf('Waiting'));
    const { page, offences } = watched;
    await page.getByRole('row', { name: /Alert 2/ }).waitFor();
    await storeAlerts(fixture.program, alertsOf('Waiting', 1));
    await page.getByRole('button', { name: '1 new' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 4);
    await page.keyboard.press('.');
    await page.locator('[role=grid][aria-rowcount="5"]').waitFor();
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' });
    await fixture.program.request('/api/v1/hit', { method: 'DELETE', basic: ADMIN, json: [gone] });
    const struck = page.locator('[role=row][data-state=deleted]');
    await struck.waitFor();
    const cell = struck.getByRole('gridcell').nth(2);
    assert.match(await cell.evaluate((element) => getComputedStyle(element).textDecorationLine), /line-through/);
    assert.equal(await page.getByRole('row').count(), 5);
    await page.keyboard.press('.');
    await page.locator('[role=grid][aria-rowcount="4"]').waitFor();
    await struck.waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });

  it('who else looks at an alert and types a comment is seen beside it and in the title line', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Looked at', 1));
    await using first = await fixture.openSignedIn(`/alerts/${id}`);
    const title = first.page.getByRole('banner');
    await first.page.getByRole('tab', { name: 'Overview' }).waitFor();
    await using second = await fixture.openSignedIn(`/alerts/${id}`, COLLEAGUE);
    await first.page.getByRole('region', { name: 'Alert', exact: true }).getByText('user looks at it').waitFor();
    await title.getByText('user looks at it').waitFor();
    await second.page.getByRole('banner').getByText('admin').first().waitFor();
    await second.page.keyboard.press('c');
    await second.page.getByRole('textbox', { name: 'Commentaire' }).pressSequentially('Un moment');
    await title.getByText('user writes a comment').waitFor();
    await second.context.close();
    await title.getByText('user looks at it').waitFor({ state: 'detached' });
    assertNoOffences(first.offences);
  });
});
