import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { type AuditEvent, LOCAL_ORIGIN } from '../../identity/audit/audit-log.ts';
import { PEOPLE } from '../../testing/identity/identity-provider/provider-people.ts';
import { signInAt } from '../../testing/identity/identity-provider/sign-in.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { SoftwareAuthenticator } from '../../testing/identity/software-authenticator.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { type BrowserAnswer, WebBrowser } from '../../testing/web-browser.ts';

let provider: TestIdentityProvider;
let program: TestProgram;
const events: AuditEvent[] = [];
const ACCESS = unrestricted('this is a test');
before(async () => {
  provider = await startIdentityProvider();
  program = await startTestProgram({
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings({ auto_create: true }) },
    },
    onAudit: (event) => void events.push(event),
  });
  provider.allowRedirects([`${program.urls.web}/sign-in/provider/main`]);
});
after(async () => {
  await program.close();
  await provider[Symbol.asyncDispose]();
});

/** Signs in at the provider, and hands its answer to the web interface. */
async function signIn(browser: WebBrowser, username: string): Promise<BrowserAnswer> {
  const begun = await browser.open('/session/providers/main');
  assert.equal(begun.status, 302, begun.text);
  const person = { username, password: PEOPLE[username]?.password ?? '' };
  const back = await signInAt(begun.headers.location ?? '', person);
  return send(browser, { ...Object.fromEntries(back.searchParams) });
}

function send(browser: WebBrowser, json: object): Promise<BrowserAnswer> {
  return browser.ask('/session', { method: 'POST', json: { method: 'provider', provider: 'main', ...json } });
}

describe('a sign-in at a provider of a user with a second factor', () => {
  it('gives a ticket, which opens one session with the second factor, for its user alone', async () => {
    const browser = new WebBrowser(program.urls.web);
    const opened = await signIn(browser, 'hopper');
    assert.equal(opened.status, 200, opened.text);
    const { factorAccounts } = program.foundation.webIdentity;
    const key = new SoftwareAuthenticator();
    const options = await factorAccounts.beginSecurityKey('hopper', '127.0.0.1');
    await factorAccounts.addSecurityKey('hopper', 'yubi', key.create(options), {
      ...LOCAL_ORIGIN,
      address: '127.0.0.1',
    });

    // What follows a sign-in makes this view of the user.
    const views = program.foundation.datastore.collection(viewDocument);
    const hasView = async () => (await views.get('assigned-to-hopper', ACCESS)) !== undefined;
    assert.equal(await hasView(), true);
    await views.delete('assigned-to-hopper', { visible: 'now' });
    const signedIn = () => events.filter(({ event, user: name }) => event === 'login_succeeded' && name === 'hopper');
    assert.equal(signedIn().length, 1);

    const asked = await signIn(browser, 'hopper');
    assert.equal(asked.status, 401, asked.text);
    const { code, second_factors: kinds, challenge, user, ticket } = asked.json.error;
    assert.deepEqual([code, kinds, user], ['second_factor_required', ['security_key'], 'hopper']);
    const again = await send(browser, { user, ticket });
    assert.equal(again.json.error.code, 'second_factor_required');
    const answers: readonly (readonly [object, string])[] = [
      [{ user, ticket, otp: '123456' }, 'wrong_security_token'],
      [{ user: 'admin', ticket, webauthn_auth_resp: key.get(challenge) }, 'sign_in_expired'],
      [{ user, ticket: 'x'.repeat(43), webauthn_auth_resp: key.get(challenge) }, 'sign_in_expired'],
    ];
    for (const [json, wanted] of answers) assert.equal((await send(browser, json)).json.error.code, wanted);
    assert.equal(signedIn().length, 1, 'the user has not signed in yet');
    assert.equal(await hasView(), false);
    const signed = await send(browser, { user, ticket, webauthn_auth_resp: key.get(challenge) });
    assert.equal(signed.status, 200, signed.text);
    assert.deepEqual([signed.json.session.username, signed.json.session.opened_with], ['hopper', 'provider']);
    assert.equal(signed.json.session.provider, 'main');
    const late = await send(browser, { user, ticket, webauthn_auth_resp: key.get(again.json.error.challenge) });
    assert.equal(late.json.error.code, 'sign_in_expired');
    const [, line, ...further] = signedIn();
    assert.deepEqual(further, []);
    const { service, method, provider: name, subject, azp } = line ?? {};
    assert.deepEqual([service, method, name, subject, azp], ['web', 'oauth', 'main', 'hopper', 'triad-alerts']);
    assert.equal(await hasView(), true);
  });
});
