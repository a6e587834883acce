import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { PEOPLE } from '../../../src/testing/identity/identity-provider/provider-people.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../../src/testing/identity/identity-provider.ts';
import { assertNoOffences, fillSignIn, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const PASSWORD = 'a long password of theirs';
const HELP = 'Call the help desk at 555-0100.';

describe('the sign-in', { skip }, () => {
  let provider: TestIdentityProvider;
  const fixture = programFixture(async () => {
    provider = await startIdentityProvider();
    return {
      settings: {
        'web.forgotten_password': HELP,
        'auth.internal.max_failures': 3,
        'auth.internal.failure_ttl': 600,
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { main: provider.settings({ auto_create: true }) },
      },
    };
  });
  before(async () => {
    provider.allowRedirects([`${fixture.program.urls.web}/sign-in/provider/main`]);
    for (const name of ['anna', 'bert']) {
      await fixture.program.foundation.accounts.create(name, { name, new_pass: PASSWORD, type: ['user'] });
    }
  });
  after(() => provider[Symbol.asyncDispose]());

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^(Account of|Compte de)/ }).click();
    await page.getByRole('menuitem', { name: /^(Sign out|Se déconnecter)$/ }).click();
    await page.locator('input[autocomplete=username]').waitFor();
  };

  it('takes a password and shows the page that was asked for', async () => {
    await using watched = await fixture.open({ theme: 'light', language: 'fr' });
    const { page, context, offences } = watched;
    await page.goto('/settings?tab=sessions');
    await page.locator('input[autocomplete=username]').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await fillSignIn(page, { user: 'anna', password: PASSWORD });
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    assert.equal(new URL(page.url()).search, '?tab=sessions');
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    for (const { value } of await context.cookies()) assert.ok(!stored.includes(value), 'no storage has the session');
    assert.equal(await page.evaluate(() => document.cookie), '');
    await signOut(page);
    await page.goto('/alerts');
    await page.locator('input[autocomplete=username]').waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('says that a password is wrong, whom to ask for a forgotten one, and until when it is locked', async () => {
    await using watched = await fixture.open({ theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    await page.goto('/');
    await page.getByText('Mot de passe oublié').click();
    await page.getByText(HELP).waitFor();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await fillSignIn(page, { user: 'bert', password: 'wrong' });
      await page.getByRole('alert').getByText('Le nom d’utilisateur ou le mot de passe est faux.').waitFor();
      await page.locator('button[type=submit]:not([aria-busy=true])').waitFor();
    }
    assert.deepEqual(await accessibilityProblems(page), []);
    await fillSignIn(page, { user: 'bert', password: PASSWORD });
    const words = page.getByRole('alert').getByText('Trop de connexions échouées. Réessayez à partir de');
    await words.waitFor();
    assert.match((await words.textContent()) ?? '', /\d{2}[: h]+\d{2}/);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('goes to a provider and returns to the page that was asked for', async () => {
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await page.goto('/settings?tab=sessions');
    await page.getByRole('link', { name: 'Sign in with main' }).click();
    await page.waitForURL((url) => url.origin !== fixture.program.urls.web);
    await page.locator('[name=username]').fill('lovelace');
    await page.locator('[name=password]').fill(PEOPLE.lovelace?.password ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    assert.equal(page.url(), `${fixture.program.urls.web}/settings?tab=sessions`, 'no code stays in the address');
    await page.getByRole('button', { name: 'Account of lovelace' }).waitFor();
    const origin = new URL(offences.foreign[0] ?? '').origin;
    const foreign = offences.foreign.filter((url) => new URL(url).origin !== origin);
    assertNoOffences({ ...offences, foreign }, REFUSED_REQUESTS);
  });

  it('says what a provider refused, and leads back', async () => {
    await using watched = await fixture.open();
    const { page } = watched;
    await page.goto('/');
    const begun = page.waitForRequest((request) => request.url().startsWith(provider.issuer));
    await page.getByRole('link', { name: 'Sign in with main' }).click();
    const state = new URL((await begun).url()).searchParams.get('state') ?? '';
    // What the browser brings back when the person cancels at the provider.
    const error = { error: 'access_denied', error_description: 'You cancelled the sign-in.' };
    await page.goto(`/sign-in/provider/main?${new URLSearchParams({ ...error, state, iss: provider.issuer })}`);
    const words = 'The identity provider refused the sign-in: access_denied: You cancelled the sign-in.';
    await page.getByRole('alert').getByText(words).waitFor();
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.locator('input[autocomplete=username]').waitFor();
  });

  it('says that an answer of a provider was refused, and leads back', async () => {
    await using watched = await fixture.open();
    const { page } = watched;
    await page.goto('/sign-in/provider/main?code=forged&state=forged');
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.locator('input[autocomplete=username]').waitFor();
  });

  it('asks for a one-time password that was set up, and says that a wrong one is wrong', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=security', {
      as: { user: 'anna', password: PASSWORD },
    });
    const { page, offences } = watched;
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const setup = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = ((await setup.getByText(/^[A-Z2-7]{16,}$/).textContent()) ?? '').trim();
    assert.deepEqual(await accessibilityProblems(page), []);
    const field = setup.getByLabel('One-time password');
    await field.fill('000000');
    await page.keyboard.press('Enter');
    await setup.getByRole('alert').waitFor();
    await field.fill(await generate({ secret }));
    await page.keyboard.press('Enter');
    const codes = page.getByRole('dialog', { name: 'Recovery codes' });
    await codes.getByRole('button', { name: 'Close' }).click();
    await codes.waitFor({ state: 'detached' });
    await page.getByText('An authenticator app is set up.').waitFor();
    await signOut(page);
    await fillSignIn(page, { user: 'anna', password: PASSWORD });
    const code = page.getByLabel('One-time password');
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That was not accepted').waitFor();
    assert.equal(await code.inputValue(), '');
    // Each code is good once: the next period is within the difference that clocks may have.
    await code.fill(await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account of anna' }).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
