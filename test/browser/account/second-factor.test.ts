import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { SoftwareAuthenticator } from '../../../src/testing/identity/software-authenticator.ts';
import { assertNoOffences, fillSignIn, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const PASSWORD = 'a long password of theirs';
const ORIGIN = { service: 'web', address: '127.0.0.1' } as const;

describe('the second factor of a sign-in', { skip }, () => {
  const fixture = programFixture();
  let address = '';
  before(async () => {
    address = fixture.program.urls.web.replace('127.0.0.1', 'localhost');
    for (const name of ['anna', 'bert', 'cleo']) {
      await fixture.program.foundation.accounts.create(name, { name, new_pass: PASSWORD, type: ['user'] });
    }
  });

  async function signIn(page: Page, user: string) {
    await page.goto('/');
    await fillSignIn(page, { user, password: PASSWORD });
  }

  it('is a security key, asked for after the password', async () => {
    await using watched = await fixture.open({ baseURL: address });
    const { page, context, offences } = watched;
    const devTools = await context.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'usb', hasResidentKey: false, hasUserVerification: false },
    });
    await signIn(page, 'anna');
    await page.getByRole('navigation').first().waitFor();
    const status = await page.evaluate(async () => {
      const post = (path: string, body?: object) =>
        fetch(`/session/second-factors/security-keys${path}`, {
          method: 'POST',
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
      const options = await (await post('/challenge')).json();
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const key = await navigator.credentials.create({ publicKey });
      const answer = key instanceof PublicKeyCredential ? key.toJSON() : undefined;
      const added = await post('', { name: 'Office', answer });
      await fetch('/session', { method: 'DELETE' });
      return added.status;
    });
    assert.equal(status, 200);
    await signIn(page, 'anna');
    const button = page.getByRole('button', { name: 'Use the security key' });
    await button.waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').first().waitFor();
    // The browser notes every refused request, such as the first sign-in.
    assertNoOffences(offences, /^Failed to load resource/);
  });

  it('is a recovery code, and a wrong one can be corrected', async () => {
    const { factorAccounts } = fixture.program.foundation.webIdentity;
    const key = new SoftwareAuthenticator();
    const answer = key.create(await factorAccounts.beginSecurityKey('bert', '127.0.0.1'));
    await factorAccounts.addSecurityKey('bert', 'yubi', answer, ORIGIN);
    const [code = ''] = await factorAccounts.renewRecoveryCodes('bert', ORIGIN);
    await using watched = await fixture.open({ baseURL: address, theme: 'light' });
    const { page } = watched;
    await signIn(page, 'bert');
    const field = page.getByLabel('Recovery code');
    await field.fill('0000-0000-0000-0000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That was not accepted').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await field.fill(code.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').first().waitFor();
  });

  it('says where keys work when the page is at another address', async () => {
    const { factorAccounts } = fixture.program.foundation.webIdentity;
    const answer = new SoftwareAuthenticator().create(await factorAccounts.beginSecurityKey('cleo', '127.0.0.1'));
    await factorAccounts.addSecurityKey('cleo', 'yubi', answer, ORIGIN);
    await using watched = await fixture.open();
    const { page } = watched;
    await signIn(page, 'cleo');
    await page.getByText('Security keys work at localhost alone').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Use the security key' }).count(), 0);
  });
});
