import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { DEMO_CLASSIFICATION } from '../../../src/classification/builtin-definitions.ts';
import { assertNoOffences, programFixture, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('the administration of users', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-administration-'));
  const fixture = programFixture(() => {
    writeFileSync(join(folder, 'classification.yml'), DEMO_CLASSIFICATION);
    return { folder };
  });
  after(() => rmSync(folder, { recursive: true }));

  const stored = (name: string) => fixture.program.foundation.users.get(name);
  async function choose(page: Page, field: Locator, option: string): Promise<void> {
    await field.click();
    await page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
  }

  it('creates an account with roles of both services and a clearance, whose password is shown once', async () => {
    await using watched = await fixture.openSignedIn('/administration/users');
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await form.getByLabel('User name').fill('grace');
    await form.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await form.getByRole('combobox', { name: 'User types' }).fill('automation_basic');
    await page.getByRole('option', { name: 'automation_basic' }).click();
    await form.getByRole('combobox', { name: /^Further types/ }).fill('signature_importer');
    await page.getByRole('option', { name: 'signature_importer' }).click();
    await choose(page, form.getByRole('combobox', { name: 'Level' }), 'RESTRICTED');
    await form.getByRole('combobox', { name: /^Required markings/ }).fill('admin');
    await page.getByRole('option', { name: /^ADMIN/ }).click();
    await form.getByRole('combobox', { name: /^Groups/ }).fill('department 2');
    await page.getByRole('option', { name: /^DEPARTMENT 2/ }).click();
    await form.getByText('RESTRICTED//ADMIN//REL TO DEPARTMENT 2').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await form.getByRole('button', { name: 'Create' }).click();
    const once = page.getByRole('dialog', { name: 'Password of the account' });
    const password = ((await once.locator('code, [class*=value]').first().textContent()) ?? '').trim();
    const user = await stored('grace');
    assert.deepEqual(
      [user?.name, user?.type, user?.analysis_types, user?.classification],
      ['Grace Hopper', ['user', 'automation_basic'], ['signature_importer'], 'RESTRICTED//ADMIN//REL TO DEPARTMENT 2'],
    );
    await page.keyboard.press('Escape');
    await once.waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(password));
    await using other = await fixture.open();
    await signIn(other.page, '/', { user: 'grace', password });
    assertNoOffences(offences);
  });

  it('changes, resets, switches off and deletes an account, and ends its sessions and keys (fr, light)', async () => {
    const { accounts } = fixture.program.foundation;
    await accounts.create('edgar', { name: 'Edgar', new_pass: 'a long password of his', type: ['user'] });
    await using his = await fixture.openSignedIn('/', { as: { user: 'edgar', password: 'a long password of his' } });
    const made = await his.page.evaluate(async () => {
      const body = JSON.stringify({ name: 'his', priv: ['R'] });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/services/alerts/api/v1/auth/apikey', { method: 'POST', headers, body });
      return (await answer.json()).api_response.apikey;
    });
    const byKey = () => fixture.program.request('/api/v1/user/whoami', { basic: `edgar:${made}` });
    assert.equal((await byKey()).status, 200);

    await using watched = await fixture.openSignedIn('/administration/users?q=edgar', {
      theme: 'light',
      language: 'fr',
    });
    const { page, offences } = watched;
    await page.getByRole('link', { name: 'edgar', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'edgar' });
    await dialog.locator(':focus:not([data-hint])').waitFor();
    assert.equal(await page.getByText(/^Fermer\s*Esc$/).count(), 0, 'no tooltip of a focus set by script');
    await dialog.getByRole('button', { name: 'Révoquer la clé « his »' }).click();
    await dialog.getByText('0 clé d’API').first().waitFor();
    assert.equal((await byKey()).status, 401);
    await dialog
      .getByRole('button', { name: /^Terminer la session/ })
      .first()
      .click();
    await dialog.getByText('0 session').first().waitFor();
    assert.equal(await statusOf(his.page), 401);
    assert.deepEqual(await accessibilityProblems(page), []);

    await dialog.getByLabel('Nom', { exact: true }).fill('Edgar Codd');
    await choose(page, dialog.getByRole('combobox', { name: 'Niveau' }), 'RESTRICTED');
    await dialog.getByRole('checkbox', { name: 'Actif' }).click();
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText('Le compte a été modifié.').first().waitFor();
    const user = await stored('edgar');
    assert.deepEqual([user?.name, user?.is_active, user?.classification], ['Edgar Codd', false, 'RESTRICTED']);

    await dialog.getByRole('button', { name: 'Définir un mot de passe aléatoire' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Définir un mot de passe aléatoire' }).click();
    await page.getByRole('dialog', { name: 'Mot de passe du compte' }).waitFor();
    await page.keyboard.press('Escape');
    assert.notEqual((await stored('edgar'))?.password, user?.password);

    await dialog.getByRole('button', { name: 'Supprimer le compte' }).click();
    await question.getByRole('button', { name: 'Supprimer le compte' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await stored('edgar'), undefined);
    await page.getByRole('link', { name: 'edgar', exact: true }).waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });

  it('keeps what another administrator changed since the form was opened, and asks about the same member', async () => {
    const { accounts } = fixture.program.foundation;
    await accounts.create('hopper', { name: 'Hopper', new_pass: 'a long password of hers', type: ['user'] });
    await using watched = await fixture.openSignedIn('/administration/users?id=hopper');
    const { page, offences } = watched;
    const dialog = page.getByRole('dialog', { name: 'hopper' });
    const name = dialog.getByLabel('Name', { exact: true });
    const save = dialog.getByRole('button', { name: 'Save' });
    const change = (body: object) =>
      page.evaluate(async (text) => {
        const headers = { 'content-type': 'application/json' };
        const path = '/services/operations/v1/users/hopper';
        return (await fetch(path, { method: 'PATCH', headers, body: text })).status;
      }, JSON.stringify(body));
    await name.fill('Grace Hopper');
    assert.equal(await change({ is_active: false, types: ['user', 'automation_basic'] }), 200);
    // The account is read again, with what the other administrator wrote.
    await dialog.getByRole('button', { name: 'Refresh' }).first().click();
    await dialog.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await save.click();
    await page.getByText('The account was changed.').waitFor();
    const saved = await stored('hopper');
    assert.deepEqual(
      [saved?.name, saved?.is_active, saved?.type],
      ['Grace Hopper', false, ['user', 'automation_basic']],
    );
    assert.equal(await dialog.getByRole('checkbox', { name: 'Active' }).isChecked(), false);

    await name.fill('Mine');
    assert.equal(await change({ name: 'Theirs' }), 200);
    await save.click();
    const question = page.getByRole('dialog', { name: 'Someone changed this meanwhile' });
    await question.getByText('Theirs').first().waitFor();
    await question.getByRole('button').first().waitFor();
    assert.equal((await stored('hopper'))?.name, 'Theirs');
    await question.getByRole('button', { name: 'Write mine' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save', disabled: true }).waitFor();
    assert.equal((await stored('hopper'))?.name, 'Mine');
    assertNoOffences(offences);
  });

  it('says what is wrong with an account, at its field', async () => {
    await using watched = await fixture.openSignedIn('/administration/users?id=admin');
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'admin' });
    await dialog.getByRole('checkbox', { name: 'Active' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Administrators cannot disable their own account').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Delete the account' }).count(), 0);
    assert.equal((await stored('admin'))?.is_active, true);
  });

  it('finds accounts by parts of names and addresses, and reads a sign of queries as text', async () => {
    const { accounts } = fixture.program.foundation;
    await accounts.create('ritchie', { name: 'Dennis R', new_pass: 'a long password of his', type: ['user'] });
    await using watched = await fixture.openSignedIn('/administration/users');
    const { page, offences } = watched;
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/v1/users')) asked.push(searchParams.get('query') ?? '');
    });
    const search = page.getByRole('textbox', { name: 'Search for users' });
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    await search.pressSequentially('itchi');
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'ritchie', exact: true }).waitFor();
    assert.ok(new Set(asked).size < 'itchi'.length, asked.join('\n'));
    await search.fill('(');
    await page.getByRole('link', { name: 'ritchie', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('alert').count(), 0);
    await search.fill('nnis itchie');
    await page.getByRole('link', { name: 'ritchie', exact: true }).waitFor();
    await page.route('**/v1/users?*', (route) => route.fulfill({ json: { users: [], total: 201 } }));
    await search.fill('many');
    await page.getByText('0 of 201 accounts are shown.').waitFor();
    assertNoOffences(offences);
  });

  it('removes the second factors of a user who lost them, after a question', async () => {
    const { accounts, users } = fixture.program.foundation;
    await accounts.create('hedy', { name: 'Hedy', new_pass: 'a long password of hers', type: ['user'] });
    await users.update('hedy', [{ op: 'set', path: 'otp_sk', value: 'JBSWY3DPEHPK3PXP' }]);
    await using watched = await fixture.openSignedIn('/administration/users?id=hedy');
    const { page, offences } = watched;
    const button = page
      .getByRole('dialog', { name: 'hedy' })
      .getByRole('button', { name: 'Remove the second factors' });
    await button.click();
    const question = page.getByRole('alertdialog', { name: 'Remove the second factors' });
    await question.getByText('the password alone is enough').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await stored('hedy'))?.otp_sk, 'JBSWY3DPEHPK3PXP');
    await button.click();
    await question.getByRole('button', { name: 'Remove the second factors' }).click();
    await page.getByText('The second factors were removed.').waitFor();
    await button.waitFor({ state: 'detached' });
    assert.equal((await stored('hedy'))?.otp_sk, undefined);
    await using own = await fixture.openSignedIn('/administration/users?id=admin');
    await own.page
      .getByRole('dialog', { name: 'admin' })
      .getByRole('button', { name: 'Set a random password' })
      .waitFor();
    assert.equal(await own.page.getByRole('button', { name: 'Remove the second factors' }).count(), 0);
    assertNoOffences(offences);
  });
});

function statusOf(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/services/alerts/api/v1/user/whoami')).status);
}
