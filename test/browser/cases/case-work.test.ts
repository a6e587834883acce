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

  it('shows the timeline in the order of creation, narrows it, and draws events', async () => {
    const { program } = fixture;
    const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
    const analytic = 'Timeline';
    const fields = { 'howler.analytic': analytic };
    const [late = ''] = await storeAlerts(program, [
      { ...fields, 'event.created': at(5), 'howler.outline.summary': 'Third' },
    ]);
    const [early = ''] = await storeAlerts(program, [
      { ...fields, 'event.created': at(1), 'howler.outline.summary': 'First', 'threat.tactic.id': 'TA0001' },
    ]);
    const event = { 'event.kind': 'event', 'event.created': at(3), message: 'Second' };
    const [observed = ''] = await sendJson(program, '/api/v2/ingest/event?refresh=true', [event]);
    const id = await storeCase(program, { title: 'In order' });
    for (const [type, value] of [
      ['hit', late],
      ['hit', early],
      ['event', observed],
    ] as const) {
      await sendJson(program, `/api/v2/case/${id}/items?refresh=true`, { type, value, name: `${type} ${value}` });
    }
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=timeline`);
    const { page, offences } = watched;
    const rows = page
      .getByRole('grid', { name: 'Timeline' })
      .getByRole('row')
      .filter({ hasText: /First|Second|Third/ });
    await rows.nth(2).waitFor();
    const words = await rows.allTextContents();
    assert.deepEqual(
      words.map((row) => /First|Second|Third/.exec(row)?.[0]),
      ['First', 'Second', 'Third'],
    );

    await rows.filter({ hasText: 'Second' }).click();
    const pane = page.getByRole('tab', { name: 'JSON' });
    await pane.waitFor();
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });

    await page.getByRole('combobox', { name: 'ATT&CK' }).click();
    await page.getByRole('option', { name: /TA0001/ }).click();
    await rows.filter({ hasText: 'Third' }).waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'First' }).waitFor();
    assert.equal(await rows.count(), 1);
    assert.equal(new URL(page.url()).searchParams.get('attack'), 'TA0001');
    assert.deepEqual(await accessibilityProblems(page), []);

    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByRole('treeitem', { name: new RegExp(observed) }).click();
    await page.getByText('Second', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText('"message": "Second"').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('item'));
    assertNoOffences(offences);
  });

  it('changes tasks, keeps what is typed, and asks before one is removed', async () => {
    const { program } = fixture;
    const task = { id: 'call', summary: 'Call', complete: false, assignment: 'admin' };
    const id = await storeCase(program, { title: 'Tasks', tasks: [task] });
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=tasks`);
    const { page, offences } = watched;
    await page.getByRole('textbox', { name: 'Task', exact: true }).fill('Half typed');
    await page.reload();
    await page.getByText('You typed this before, and it is not saved yet.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Task', exact: true }).inputValue(), 'Half typed');

    await page.getByRole('button', { name: 'Change the task “Call”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the task' });
    await dialog.getByRole('textbox', { name: 'Task' }).fill('Call them');
    await dialog.getByRole('combobox', { name: 'Assigned to' }).fill('user');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    // Another person finishes the task meanwhile: that stays.
    await sendJson(program, `/api/v2/case/${id}`, { tasks: [{ ...task, complete: true }] }, { method: 'PUT' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [changed] = (await storedCase(program, id)).tasks;
    assert.deepEqual([changed.summary, changed.complete], ['Call them', true]);
    assert.notEqual(changed.assignment, 'admin');

    await page.getByRole('button', { name: 'Remove the task “Call them”' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove this task?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal((await storedCase(program, id)).tasks.length, 1);
    await page.getByRole('button', { name: 'Remove the task “Call them”' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await until('the task is gone', async () => ((await storedCase(program, id)).tasks ?? []).length === 0);
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

  it('asks before a case is resolved whose alerts are open, on its page and on the board', async () => {
    const { program } = fixture;
    const [open = '', closed = ''] = await storeAlerts(program, alertsOf('Unresolved', 2));
    await sendJson(program, `/api/v1/hit/${closed}/transition?refresh=true`, {
      transition: 'assess',
      data: { assessment: 'legitimate' },
    });
    const id = await storeCase(program, { title: 'Half done' });
    for (const value of [open, closed]) {
      await sendJson(program, `/api/v2/case/${id}/items?refresh=true`, { type: 'hit', value, name: value });
    }
    await using watched = await fixture.openSignedIn(`/cases/${id}`);
    const { page, offences } = watched;
    const resolve = async () => {
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Resolved' }).click();
    };
    const question = page.getByRole('alertdialog', { name: 'Resolve this case?' });
    await resolve();
    await question.getByText('1 of its alerts is not resolved').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal((await storedCase(program, id)).status, 'open');
    await resolve();
    await question.getByRole('link', { name: 'Show these alerts' }).click();
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'Unresolved' }).first().waitFor();
    assert.equal(await page.getByRole('grid').getByRole('row').filter({ hasText: 'Unresolved' }).count(), 1);

    await page.goto('/cases?layout=board');
    const move = async () => {
      await page.getByRole('button', { name: 'Change the status of “Half done”' }).click();
      await page.getByRole('menuitem', { name: 'Resolved' }).click();
    };
    await move();
    await question.getByRole('button', { name: 'Resolve the case' }).click();
    await page.getByRole('region', { name: 'Resolved' }).getByRole('link', { name: 'Half done' }).waitFor();
    assert.equal((await storedCase(program, id)).status, 'resolved');
    assertNoOffences(offences);
  });

  it('shows who else looks at a case, and looks up or searches for its observables', async () => {
    const { program } = fixture;
    await storeAlerts(program, [{ 'howler.analytic': 'Observed', 'howler.outline.indicators': ['198.51.100.77'] }]);
    const id = await storeCase(program, { title: 'Observed', indicators: ['198.51.100.77'] });
    await using first = await fixture.openSignedIn(`/cases/${id}?tab=observables`);
    await using second = await fixture.openSignedIn(`/cases/${id}`, { as: { user: 'user' } });
    await first.page.getByRole('banner').getByText('user looks at it').waitFor();
    await second.page.getByRole('banner').getByText('admin looks at it').waitFor();

    const { page, offences } = first;
    const open = () => page.getByRole('button', { name: /198\.51\.100\.77/ }).click();
    await open();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('menuitem', { name: 'Look up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Known about this value' });
    await dialog.getByText('alerts', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open();
    await page.getByRole('menuitem', { name: /^Search/ }).click();
    await page.waitForURL(/\/alerts\?/);
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'Observed' }).first().waitFor();
    assertNoOffences(offences);
  });

  it('rewrites notes of a case, and asks where another person did meanwhile', async () => {
    const { program } = fixture;
    const id = await storeCase(program, { title: 'Written' });
    const note = { type: 'markdown', name: 'Findings', value: 'The *first* version' };
    await sendJson(program, `/api/v2/case/${id}/items?refresh=true`, note);
    const stored = async () => (await storedCase(program, id)).items[0];
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=items`);
    const { page, offences } = watched;
    await page.getByRole('treeitem', { name: /Findings/ }).click();
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Change the item' });
    const text = form.getByRole('textbox', { name: 'Text, as Markdown' });
    await text.fill('The **second** version');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('strong', { hasText: 'second' }).waitFor();
    assert.equal((await stored()).value, 'The **second** version');

    await text.fill('Mine');
    const { id: item } = await stored();
    await sendJson(program, `/api/v2/case/${id}/items?refresh=true`, { id: item, value: 'Theirs' }, { method: 'PUT' });
    await page.locator('p', { hasText: /^Theirs$/ }).waitFor();
    assert.equal(await text.inputValue(), 'Mine', 'what was typed stays');
    await form.getByRole('button', { name: 'Save' }).click();
    const question = page.getByRole('dialog', { name: 'Someone changed this case meanwhile' });
    await question.getByText('Theirs', { exact: true }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Keep theirs' }).click();
    await form.getByText('This was not saved: another person changed it meanwhile.').waitFor();
    assert.equal((await stored()).value, 'Theirs');
    await page.reload();
    assert.equal(await text.inputValue(), 'Mine', 'what was typed survives a reload');

    const versions: (string | undefined)[] = [];
    await page.route(`**/api/v2/case/${id}/items`, async (route) => {
      versions.push(route.request().headers()['if-match']);
      await route.continue();
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await question.getByRole('button', { name: 'Write mine' }).click();
    await until('the typed text is stored', async () => (await stored()).value === 'Mine');
    assert.ok(versions.length > 0 && !versions.includes(undefined), 'written to the version that was read');
    assertNoOffences(offences);
  });
});
