import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { alertsOf, listOf, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const COLLEAGUE = 'user:devkey:user';

describe('comments on an alert', { skip }, () => {
  const fixture = programFixture();
  const field = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true }).last();
  const commentsOf = async (id: string): Promise<{ value: string; reactions: Record<string, string> }[]> =>
    (await storedAlert(fixture.program, id)).comment;

  it('mention users by keys alone', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Mention', 1));
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=comments`);
    const { page, offences } = watched;
    await field(page).click();
    await page.keyboard.type('Ask @');
    const users = page.getByRole('listbox', { name: 'Users to mention' });
    await users.waitFor();
    const options = users.getByRole('option');
    await until('several users are offered', async () => (await options.count()) > 1);
    assert.deepEqual(await accessibilityProblems(page), []);
    const second = ((await options.nth(1).textContent()) ?? '').replace(/ .*/, '');
    const active = () => field(page).getAttribute('aria-activedescendant');
    assert.equal(await active(), await options.first().getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    assert.equal(await active(), await options.nth(1).getAttribute('id'));
    await page.keyboard.press('Enter');
    await users.waitFor({ state: 'detached' });
    assert.equal(await field(page).inputValue(), `Ask ${second} `);
    await page.keyboard.type('and @');
    await users.waitFor();
    await page.keyboard.press('Escape');
    await users.waitFor({ state: 'detached' });
    await page.keyboard.type('home');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Commented.').waitFor();
    assert.deepEqual(
      (await commentsOf(id)).map(({ value }) => value),
      [`Ask ${second} and @home`],
    );
    assertNoOffences(offences);
  });

  it('take a reaction, and give it back', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Reaction', 1));
    await sendJson(fixture.program, `/api/v1/hit/${id}/comments`, { value: 'Seen' }, { basic: COLLEAGUE });
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=comments`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'React' }).click();
    await page.getByRole('menuitem', { name: '👀' }).click();
    const given = page.getByRole('button', { name: '👀 1', pressed: true });
    await given.waitFor();
    assert.deepEqual((await commentsOf(id))[0]?.reactions, { admin: 'eyes' });
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0, 'the comment of another person');
    await given.click();
    await given.waitFor({ state: 'detached' });
    assert.deepEqual((await commentsOf(id))[0]?.reactions, {});
    assertNoOffences(offences);
  });

  it('keep an edit that was not saved while other alerts are read, and save it', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Edit', 2));
    await sendJson(fixture.program, `/api/v1/hit/${id}/comments`, { value: 'Seen' });
    await using watched = await fixture.openSignedIn(`${listOf('Edit')}&id=${id}&tab=comments`);
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Edit' }).click();
    const edited = page.getByRole('form', { name: 'Edit' }).getByRole('textbox');
    await edited.fill('Seen twice');
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('j');
    await page.getByRole('region', { name: 'Alert', exact: true }).getByText('Alert 1', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('tab', { name: /Comments/ }).click();
    assert.equal(await edited.inputValue(), 'Seen twice');
    assert.equal((await commentsOf(id))[0]?.value, 'Seen');
    let isRefused = true;
    await page.route('**/comments/*', async (route) => {
      if (isRefused) await route.fulfill({ status: 500, json: { api_error_message: 'Broken.' } });
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Broken.').waitFor();
    assert.equal(await edited.inputValue(), 'Seen twice');
    isRefused = false;
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await edited.waitFor({ state: 'detached' });
    await until('the focus returns', () =>
      page.getByRole('button', { name: 'Edit' }).evaluate((element) => element === document.activeElement),
    );
    assert.equal((await commentsOf(id))[0]?.value, 'Seen twice');
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('keep what is typed while one is sent', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Typed on', 1));
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=comments`);
    const { page, offences } = watched;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/comments', async (route) => {
      await held;
      await route.continue();
    });
    await field(page).fill('Seen.');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type(' Calling him.');
    release();
    await page.getByText('Commented.').waitFor();
    await until('the sent comment left the field', async () => (await field(page).inputValue()) === 'Calling him.');
    assert.deepEqual(
      (await commentsOf(id)).map(({ value }) => value),
      ['Seen.'],
    );
    assertNoOffences(offences);
  });

  it('and reasons that are refused are offered again with their words', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Refused words', 2));
    await using watched = await fixture.openSignedIn(listOf('Refused words'));
    const { page, offences } = watched;
    let isRefused = true;
    const refuse = { status: 403, json: { api_error_message: 'Not now.' } };
    await page.route(/\/(?:comments|transition)$/, (route) => (isRefused ? route.fulfill(refuse) : route.continue()));
    await page.getByRole('row', { name: /Alert 0/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    const assess = page.getByRole('dialog', { name: 'Assess the alert' });
    await assess.waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('Known scanner');
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert').filter({ hasText: 'You may not do this. Not now.' });
    await problem.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    const comment = page.getByRole('dialog', { name: 'Comment on the alert' });
    await comment.getByRole('textbox').fill('Seen by hand');
    await page.keyboard.press('Control+Enter');
    // Screen readers have the sentence as an alert, and the button with F6.
    const edits = page.getByRole('button', { name: 'Edit and send again', includeHidden: true });
    await until('both are offered', async () => (await edits.count()) === 2);
    isRefused = false;
    for (let left = 2; left > 0; left -= 1) {
      await edits.first().click();
      const dialog = page.getByRole('dialog', { name: /the alert$/ });
      await dialog.waitFor();
      const words = await dialog.getByRole('textbox').inputValue();
      assert.ok(['Known scanner', 'Seen by hand'].includes(words), words);
      await dialog.getByRole('textbox').press('Control+Enter');
      if (await dialog.isVisible()) await dialog.getByRole('textbox').press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
    await until('the reason is stored with its alert', async () => {
      const { assessment, rationale } = await storedAlert(fixture.program, id);
      return assessment === 'false-positive' && rationale === 'Known scanner';
    });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
