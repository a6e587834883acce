import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, fillSignIn, programFixture, REFUSED_REQUESTS, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const REMARK = 'Typed before the session ended: <b>evil.example</b>';

describe('a session that was ended elsewhere', { skip }, () => {
  const fixture = programFixture();

  async function createAlert(): Promise<string> {
    const [id = ''] = await storeAlerts(fixture.program, [{ 'howler.analytic': 'Sessions' }]);
    return id;
  }
  async function commentsOf(id: string): Promise<string[]> {
    const { comment } = await storedAlert(fixture.program, id);
    return comment.map(({ value }: { value: string }) => value);
  }
  /** Types a comment on an alert, and leaves it unsent. */
  async function typeComment(page: Page, id: string, user: string) {
    await signIn(page, `/alerts/${id}`, { user });
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('c');
    const field = page.locator('#content textarea');
    await field.fill(REMARK);
    return field;
  }

  it('is asked for in place by the password, and the typed comment is sent', async () => {
    const id = await createAlert();
    await using typing = await fixture.open();
    const field = await typeComment(typing.page, id, 'user');
    await using other = await fixture.openSignedIn('/settings?tab=sessions', { as: { user: 'user' } });
    await other.page.getByRole('button', { name: 'Sign out there' }).click();
    await other.page.getByRole('button', { name: 'Sign out there' }).waitFor({ state: 'detached' });

    await field.press('Control+Enter');
    const dialog = typing.page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.waitFor();
    assert.deepEqual(await accessibilityProblems(typing.page), []);
    assert.equal(await dialog.getByLabel('User name').inputValue(), 'user');
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await typing.page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    assert.equal(await field.inputValue(), REMARK);
    await dialog.getByLabel('Password', { exact: true }).fill('user');
    await typing.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await typing.page.getByText('Commented.').waitFor();
    assert.deepEqual(await commentsOf(id), [REMARK]);
    assertNoOffences(typing.offences, REFUSED_REQUESTS);
    assertNoOffences(other.offences);
  });

  it('keeps the comment when the question is put off, over a reload and another sign-in (fr, light)', async () => {
    const id = await createAlert();
    await using watched = await fixture.open({ theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    const field = await typeComment(page, id, 'user');
    await using administrator = await fixture.openSignedIn('/settings');
    const ended = await administrator.page.evaluate(async (path) => {
      return (await fetch(path, { method: 'DELETE' })).status;
    }, '/services/operations/v1/users/user/sessions');
    assert.equal(ended, 204);
    await until('the session counts as ended', () =>
      page.evaluate(async () => (await fetch('/services/alerts/api/v1/user/whoami')).status === 401),
    );
    await field.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Votre session est terminée' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), REMARK);
    assert.deepEqual(await commentsOf(id), []);
    await page.reload();
    await fillSignIn(page, { user: 'user', password: 'user' });
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('c');
    assert.equal(await field.inputValue(), REMARK);
    await field.press('Control+Enter');
    await page.getByText('Commentée.').first().waitFor();
    assert.deepEqual(await commentsOf(id), [REMARK]);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('is asked for in place while a file is uploaded, which is then sent once more', async () => {
    await using watched = await fixture.open();
    const { page, context, offences } = watched;
    await signIn(page, '/files', { user: 'user' });
    const input = page.locator('input[type=file]');
    await input.waitFor({ state: 'attached' });
    await context.clearCookies();
    await input.setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear reader,\n') });
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill('user');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/\/files\/./);
    await page.getByText('Completed', { exact: true }).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('continues when the same browser signs in again in another window', async () => {
    const id = await createAlert();
    await using watched = await fixture.open();
    const { page, context } = watched;
    const field = await typeComment(page, id, 'user');
    await context.clearCookies();
    await field.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.waitFor();
    await signIn(await context.newPage(), '/', { user: 'user' });
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Commented.').waitFor();
    assert.deepEqual(await commentsOf(id), [REMARK]);
  });

  it('shows nothing more to another account that signs in', async () => {
    const id = await createAlert();
    await using watched = await fixture.open();
    const { page, context } = watched;
    const field = await typeComment(page, id, 'user');
    await context.clearCookies();
    await field.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.getByLabel('User name').fill('admin');
    await dialog.getByLabel('Password', { exact: true }).fill('admin');
    const reloaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await reloaded;
    await page.getByRole('button', { name: 'Account of admin' }).waitFor();
    assert.deepEqual(await commentsOf(id), [], 'no comment in the name of another');
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('c');
    await field.waitFor();
    assert.equal(await field.inputValue(), '', 'the words of another are not offered');
    await signOut(page);
    await fillSignIn(page, { user: 'user' });
    await page.getByRole('button', { name: 'Account of user' }).waitFor();
    await page.goto(`/alerts/${id}?tab=comments`);
    await field.waitFor();
    assert.equal(await field.inputValue(), REMARK, 'they wait for the person who typed them');
  });

  it('keeps the notes of a case for the person who typed them alone', async () => {
    const json = { title: 'Shared browser', summary: 'Summary' };
    const { case_id: id } = await sendJson(fixture.program, '/api/v2/case/', json);
    await using watched = await fixture.open();
    const { page, context } = watched;
    await signIn(page, `/cases/${id}`, { user: 'user' });
    const notes = page.getByRole('textbox', { name: 'Notes' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await notes.fill(REMARK);
    await until('the draft is kept', () =>
      page.evaluate((words) => Object.values(localStorage).some((kept) => kept.includes(words)), 'evil.example'),
    );
    await context.clearCookies();
    await signIn(page, `/cases/${id}`, { user: 'admin' });
    await page.getByText('Summary', { exact: true }).last().waitFor();
    assert.equal(await notes.count(), 0);
    await context.clearCookies();
    await signIn(page, `/cases/${id}`, { user: 'user' });
    await notes.waitFor();
    assert.equal(await notes.inputValue(), REMARK);
  });
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.locator('input[autocomplete=username]').waitFor();
}
