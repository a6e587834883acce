import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { DEMO_CLASSIFICATION } from '../../../src/classification/builtin-definitions.ts';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
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

describe('the administration of users', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-administration-'));
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    writeFileSync(join(folder, 'classification.yml'), DEMO_CLASSIFICATION);
    program = await startTestProgram({ folder, settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(async () => {
    await Promise.all([browser.close(), program.close()]);
    rmSync(folder, { recursive: true });
  });

  const open = (theme: 'dark' | 'light' = 'dark', language: 'en' | 'fr' = 'en') =>
    openContext(browser, { baseURL: program.urls.web, theme, language });
  const stored = (name: string) => program.foundation.users.get(name);
  async function choose(page: Page, field: Locator, option: string): Promise<void> {
    await field.click();
    await page.getByRole('option', { name: new RegExp(`^${option}`) }).click();
  }

  it('creates an account with roles of both services and a clearance, whose password is shown once', async () => {
    await using watched = await open();
    const { page, offences } = watched;
    await signIn(page, '/administration/users');
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
    await using other = await open();
    await signIn(other.page, '/', { user: 'grace', password });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('changes, resets, switches off and deletes an account, and ends its sessions and keys (fr, light)', async () => {
    const { accounts } = program.foundation;
    await accounts.create('edgar', { name: 'Edgar', new_pass: 'a long password of his', type: ['user'] });
    await using his = await open();
    await signIn(his.page, '/', { user: 'edgar', password: 'a long password of his' });
    const made = await his.page.evaluate(async () => {
      const body = JSON.stringify({ name: 'his', priv: ['R'] });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/services/alerts/api/v1/auth/apikey', { method: 'POST', headers, body });
      return (await answer.json()).api_response.apikey;
    });
    const byKey = () => program.request('/api/v1/user/whoami', { basic: `edgar:${made}` });
    assert.equal((await byKey()).status, 200);

    await using watched = await open('light', 'fr');
    const { page, offences } = watched;
    await signIn(page, '/administration/users?q=edgar');
    await page.getByRole('link', { name: 'edgar', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'edgar' });
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
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('says what is wrong with an account, at its field', async () => {
    await using watched = await open();
    const { page } = watched;
    await signIn(page, '/administration/users?id=admin');
    const dialog = page.getByRole('dialog', { name: 'admin' });
    await dialog.getByRole('checkbox', { name: 'Active' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Administrators cannot disable their own account').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Delete the account' }).count(), 0);
    assert.equal((await stored('admin'))?.is_active, true);
  });
});

function statusOf(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/services/alerts/api/v1/user/whoami')).status);
}
