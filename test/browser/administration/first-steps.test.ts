import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startIdentityProvider, type TestIdentityProvider } from '../../../src/testing/identity/identity-provider.ts';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const run = promisify(execFile);
const PASSWORD = 'another password of admin';

const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const isDone = (page: Page, name: string, word = 'Done') => step(page, name).getByText(word).waitFor();
const openHome = (page: Page) => page.getByRole('link', { name: 'Home' }).click();
const firstAdministrator = ({ firstAdministrator: created }: TestProgram) => ({
  user: 'admin',
  password: created?.password ?? '',
});

describe('an empty system', { skip }, () => {
  const fixture = programFixture({ demo: 'none' });

  it('greets with four steps, of which each ticks itself off', async () => {
    const { program } = fixture;
    await using watched = await fixture.openSignedIn('/', { as: firstAdministrator(program) });
    const { page, offences } = watched;
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);

    await page.getByRole('link', { name: 'Change the password' }).click();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password, once more').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The password was changed.').waitFor();
    await openHome(page);
    await isDone(page, 'Change the random password');

    await page.getByRole('button', { name: 'Make the key' }).click();
    const shown = step(page, 'Make an API key').getByText(/^curl -u/);
    const curl = (await shown.textContent()) ?? '';
    assert.ok(curl.includes(`${program.url}/api/v1/hit/`), curl);
    assert.deepEqual(await accessibilityProblems(page), []);
    for (const name of ['howler-client', 'Python']) {
      await page.getByText(name, { exact: true }).click();
      const group = step(page, 'Make an API key').getByRole('group').filter({ hasText: name });
      const command = (await group.textContent()) ?? '';
      assert.ok(command.includes(program.url) && command.includes('first alert'), command);
    }
    assert.equal(await step(page, 'Make an API key').getByText('Done').count(), 0, 'no alert came yet');
    const { stdout } = await run('sh', ['-c', `${curl} --silent --fail-with-body`]);
    assert.equal(JSON.parse(stdout).api_response.valid.length, 1, stdout);
    await isDone(page, 'Make an API key');
    await isDone(page, 'Look around with demo alerts');
    assert.equal(await page.getByRole('button', { name: 'Load demo alerts' }).count(), 0, 'something is stored');

    assert.equal(await step(page, 'Invite a colleague').getByText('Done').count(), 0, 'no colleague is there yet');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await form.getByLabel('User name').fill('lin');
    await form.getByLabel('Name', { exact: true }).fill('Lin');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'Password of the account' }).waitFor();
    await page.keyboard.press('Escape');
    const read = page.waitForResponse(/\/first-steps$/);
    await openHome(page);
    assert.equal((await (await read).json()).users, 2);
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });
});

describe('an empty system with a provider', { skip }, () => {
  let provider: TestIdentityProvider;
  const fixture = programFixture(async () => {
    provider = await startIdentityProvider();
    const main = provider.settings({ auto_create: true });
    return { demo: 'none', settings: { 'auth.oauth.enabled': true, 'auth.oauth.providers': { main } } };
  });
  after(() => provider[Symbol.asyncDispose]());

  it('loads demo alerts, and counts a provider as a colleague (fr, light)', async () => {
    await using watched = await fixture.openSignedIn('/', {
      theme: 'light',
      language: 'fr',
      as: firstAdministrator(fixture.program),
    });
    const { page, offences } = watched;
    await isDone(page, 'Inviter un collègue, ou relier un fournisseur', 'Fait');
    assert.equal(await step(page, 'Créer une clé').getByText('Fait').count(), 0);
    await page.getByRole('button', { name: 'Charger les alertes de démonstration' }).click();
    await isDone(page, 'Découvrir avec des alertes de démonstration', 'Fait');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Ne plus montrer' }).click();
    await page.getByRole('heading', { name: 'Premiers pas' }).waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });
});
