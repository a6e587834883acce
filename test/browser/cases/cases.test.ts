import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, signIn, skip } from '../browser.ts';
import { storeCase, storedCase } from './case-data.ts';

const COLLEAGUE = 'user:devkey:user';
const SCRIPT = '<img src=x onerror=alert(1)>';

describe('the pages of cases', { skip }, () => {
  const fixture = programFixture();

  it('create a case, fill its tree by keys, and add and finish a task', async () => {
    const analytic = { 'howler.analytic': 'Cases', 'event.created': new Date().toISOString() };
    const [alert = ''] = await storeAlerts(fixture.program, [analytic]);
    await using watched = await fixture.openSignedIn('/cases');
    const { page, offences } = watched;
    await page.keyboard.press('Control+Alt+n');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Guessed passwords');
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('Many sign-ins failed.');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Guessed passwords' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('tab', { name: 'Items' }).click();
    for (const [type, field, text] of [
      ['Folder', 'Name', 'evidence'],
      ['Alert', 'Identifier', alert],
    ] as const) {
      await page.getByRole('button', { name: 'Add an item' }).click();
      await dialog.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: type, exact: true }).click();
      await dialog.getByRole('textbox', { name: field }).fill(text);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('treeitem', { name: text }).waitFor();
    }
    await page.getByRole('treeitem', { name: alert }).click();
    await page.getByRole('link', { name: 'Cases' }).last().waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.locator('[role=treeitem][aria-level="3"]').waitFor();
    const { items } = await storedCase(fixture.program, id);
    const folder = items.find((item: { type: string }) => item.type === 'folder');
    assert.equal(items.find((item: { type: string }) => item.type === 'hit').parent, folder.id);

    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByRole('textbox', { name: 'Task', exact: true }).fill('Call the users');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Done: Call the users' }).click();
    await until('the task is done', async () => (await storedCase(fixture.program, id)).tasks?.[0]?.complete === true);
    assertNoOffences(offences);
  });

  it('ask which change counts when another person wrote meanwhile', async () => {
    const id = await storeCase(fixture.program);
    await using watched = await fixture.openSignedIn(`/cases/${id}`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Summary' }).fill('Mine.');
    await page.waitForFunction((name) => localStorage.getItem(name)?.includes('Mine.'), `triad.draft.admin.case.${id}`);
    await page.reload();
    assert.equal(await page.getByRole('textbox', { name: 'Summary' }).inputValue(), 'Mine.');
    await sendJson(fixture.program, `/api/v2/case/${id}`, { summary: 'Theirs.' }, { method: 'PUT', basic: COLLEAGUE });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Theirs.').waitFor();
    assert.equal((await storedCase(fixture.program, id)).summary, 'Theirs.');
    await dialog.getByRole('button', { name: 'Keep theirs' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Summary' }).inputValue(), 'Mine.');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Write mine' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    assert.equal((await storedCase(fixture.program, id)).summary, 'Mine.');
    assertNoOffences(offences);
  });

  it('keep the change of others that came between reading and writing', async () => {
    const id = await storeCase(fixture.program, { tasks: [] });
    await using watched = await fixture.openSignedIn(`/cases/${id}?tab=tasks`);
    const { page } = watched;
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    let overtaken = 0;
    const other = { id: 'other', summary: 'Theirs', complete: false, assignment: 'admin' };
    await page.route(`**/api/v2/case/${id}`, async (route) => {
      if (route.request().method() === 'PUT' && overtaken === 0) {
        overtaken += 1;
        await sendJson(fixture.program, `/api/v2/case/${id}`, { tasks: [other] }, { method: 'PUT', basic: COLLEAGUE });
      }
      await route.continue();
    });
    await page.getByRole('textbox', { name: 'Task' }).fill('Mine');
    await page.getByRole('button', { name: 'Add a task' }).click();
    await until('both tasks are there', async () => (await storedCase(fixture.program, id)).tasks?.length === 2);
    assert.deepEqual(
      (await storedCase(fixture.program, id)).tasks.map(({ summary }: { summary: string }) => summary),
      ['Theirs', 'Mine'],
    );
    assert.equal(overtaken, 1);

    await page.goto('/');
    const card = page.getByRole('region', { name: 'My tasks' });
    await card.getByRole('link', { name: /Theirs/ }).waitFor();
    assert.equal(await card.getByText('Mine', { exact: true }).count(), 0);
    await card.getByRole('link', { name: 'Open the list of My tasks' }).click();
    await page.waitForURL(/\/cases\?/);
    await page.getByText('1 case', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'With tasks assigned to me', pressed: true }).click();
    await page.waitForURL((url) => !url.searchParams.has('q'));
  });

  it('show changes of others, and change the status on the board', async () => {
    const id = await storeCase(fixture.program, { title: 'On the board' });
    await using watched = await fixture.openSignedIn('/cases?layout=board', { theme: 'light' });
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Change the status of “On the board”' }).click();
    await page.getByRole('menuitem', { name: 'Resolved' }).click();
    await page.getByRole('region', { name: 'Resolved' }).getByRole('link', { name: 'On the board' }).waitFor();
    assert.equal((await storedCase(fixture.program, id)).status, 'resolved');
    await sendJson(
      fixture.program,
      `/api/v2/case/${id}?refresh=true`,
      { status: 'on-hold' },
      { method: 'PUT', basic: COLLEAGUE },
    );
    await page.getByRole('region', { name: 'On hold' }).getByRole('link', { name: 'On the board' }).waitFor();
    assertNoOffences(offences);
  });

  it('keep two quick choices of one person, without a question', async () => {
    const id = await storeCase(fixture.program);
    await using watched = await fixture.openSignedIn(`/cases/${id}`);
    const { page, offences } = watched;
    const participants = page.getByRole('combobox', { name: 'Participants' });
    await participants.waitFor();
    const { promise: picked, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/api/v2/case/${id}`, async (route) => {
      await picked;
      await route.continue();
    });
    await participants.click();
    await page.getByRole('option', { name: /admin/ }).first().click();
    await page.getByRole('option', { name: /user/ }).first().click();
    release();
    await until('both take part', async () => (await storedCase(fixture.program, id)).participants?.length === 2);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assertNoOffences(offences);
  });

  it('show both versions where a card of the board was moved by another person, one question at a time', async () => {
    const ids = [
      await storeCase(fixture.program, { title: 'Moved one' }),
      await storeCase(fixture.program, { title: 'Moved two' }),
    ];
    await using watched = await fixture.openSignedIn('/cases?layout=board', { language: 'fr' });
    const { page, offences } = watched;
    const overtaken = new Set<string>();
    for (const id of ids) {
      await page.route(`**/api/v2/case/${id}`, async (route) => {
        if (route.request().method() === 'PUT' && !overtaken.has(id)) {
          overtaken.add(id);
          const change = { status: 'in-progress' };
          await sendJson(fixture.program, `/api/v2/case/${id}`, change, { method: 'PUT', basic: COLLEAGUE });
        }
        await route.continue();
      });
    }
    const question = page.getByRole('dialog', { name: 'Quelqu’un a modifié ce cas entre-temps' });
    for (const [title, answer] of [
      ['Moved one', 'Garder la sienne'],
      ['Moved two', 'Écrire la mienne'],
    ] as const) {
      await page.getByRole('button', { name: `Changer l’état de « ${title} »` }).click();
      await page.getByRole('menuitem', { name: 'Résolu' }).click();
      await question.getByText('En cours').waitFor();
      await question.getByText('Résolu').waitFor();
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'detached' });
    }
    await page.getByRole('region', { name: 'Résolu' }).getByRole('link', { name: 'Moved two' }).waitFor();
    const stored = await Promise.all(ids.map((id) => storedCase(fixture.program, id)));
    assert.deepEqual(
      stored.map(({ status }) => status),
      ['in-progress', 'resolved'],
    );
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('draw a hostile case: 5,000 items, itself inside, types of later versions, 1 MB of notes', async () => {
    const items = Array.from({ length: 5_000 }, (_, place) => ({
      type: 'reference',
      name: place === 0 ? SCRIPT : `item ${place}`,
      value: place === 0 ? 'javascript:alert(1)' : `https://host-${place}.example/`,
    }));
    const id = await storeCase(fixture.program, {
      title: SCRIPT,
      items,
      overview: `# ${SCRIPT}\n\n${'word *word* `word`\n\n'.repeat(55_000)}`,
    });
    await sendJson(fixture.program, `/api/v2/case/${id}/items`, { type: 'case', name: 'a-self', value: id });
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await page.route(`**/api/v2/case/${id}`, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const folder = { type: 'folder', value: 'loop', visible: true };
      body.api_response.items.push(
        { id: 'later', type: 'hologram', value: 'x', name: 'a-later', visible: true },
        { ...folder, id: 'one', name: 'a-one', parent: 'two' },
        { ...folder, id: 'two', name: 'a-two', parent: 'one' },
      );
      await route.fulfill({ response, json: body });
    });
    await signIn(page, `/cases/${id}`);
    await page.getByRole('button', { name: /Show more/ }).waitFor();
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('5004 items').waitFor();
    assert.ok((await page.getByRole('treeitem').count()) < 100, 'only items in sight are in the page');
    for (const name of ['a-one', 'a-two', 'a-self', 'a-later']) {
      await page.getByPlaceholder('Search items').fill(name);
      const row = page.getByRole('treeitem', { name });
      await row.waitFor();
      await row.click();
    }
    await page.getByRole('heading', { name: 'Unknown type “hologram”' }).waitFor();
    await page.getByPlaceholder('Search items').fill('a-self');
    await page.getByRole('treeitem', { name: /a-self/ }).click();
    await page.getByText('This item is the current case.').waitFor();
    await page.getByPlaceholder('Search items').fill('onerror');
    await page.getByRole('treeitem', { name: /^Reference/ }).click();
    await page.getByText('javascript:alert(1)').last().waitFor();
    assert.equal(await page.locator('a[href^="javascript"], img[src="x"]').count(), 0);
    assertNoOffences(offences);
  });
});
