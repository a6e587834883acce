import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PEOPLE } from '../../testing/identity/identity-provider/provider-people.ts';
import { signInAt } from '../../testing/identity/identity-provider/sign-in.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

const PUBLIC_URL = 'https://triad.example';
const PERSON = { username: 'lovelace', password: PEOPLE.lovelace?.password ?? '' };

let provider: TestIdentityProvider;
let program: TestProgram;
before(async () => {
  provider = await startIdentityProvider();
  program = await startTestProgram({
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings({ auto_create: true }) },
    },
  });
  provider.allowRedirects([`${program.urls.web}/sign-in/provider/main`, `${PUBLIC_URL}/sign-in/provider/main`]);
});
after(async () => {
  await program.close();
  await provider[Symbol.asyncDispose]();
});

/** Begins a sign-in; the answer of the provider. */
async function begin(browser: WebBrowser, headers: Readonly<Record<string, string>> = {}) {
  const begun = await browser.open('/session/providers/main', { 'sec-fetch-site': 'same-origin', ...headers });
  assert.equal(begun.status, 302, begun.text);
  const back = await signInAt(begun.headers.location ?? '', PERSON);
  return { begun, back, answer: Object.fromEntries(back.searchParams) as Readonly<Record<string, string>> };
}

const finish = (browser: WebBrowser, answer: object) =>
  browser.ask('/session', { method: 'POST', json: { method: 'provider', provider: 'main', ...answer } });

describe('a sign-in at a provider', () => {
  it('returns to the page of the web interface, which opens the session', async () => {
    const browser = new WebBrowser(program.urls.web);
    const { sign_in } = (await browser.ask('/session')).json;
    assert.deepEqual(sign_in.providers, [{ name: 'main', label: 'main', url: '/session/providers/main' }]);
    const { begun, back, answer } = await begin(browser);
    assert.match(
      begun.cookies[0] ?? '',
      /^triad-login=login\.[\w-]{43}; Max-Age=600; Path=\/session; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(`${back.origin}${back.pathname}`, `${program.urls.web}/sign-in/provider/main`);
    const opened = await finish(browser, answer);
    assert.equal(opened.status, 200, opened.text);
    const { username, opened_with, provider: name, key } = opened.json.session;
    assert.deepEqual([username, opened_with, name, key], ['lovelace', 'provider', 'main', null]);
    assert.equal((await browser.ask('/services/alerts/api/v1/user/whoami')).json.api_response.username, 'lovelace');
    assert.equal((await browser.ask('/services/analysis/api/v4/user/whoami/')).status, 200);
    assert.doesNotMatch(opened.text, /eyJ/, 'no token of the provider reaches a script');
    const again = await finish(browser, answer);
    assert.equal(again.status, 401, 'a code is used once');
  });

  it('is refused where the answer names another provider, or none although the provider does', async () => {
    const browser = new WebBrowser(program.urls.web);
    for (const iss of ['https://evil.example', undefined]) {
      const { answer } = await begin(browser);
      assert.equal(answer.iss, provider.issuer);
      const refused = await finish(browser, { ...answer, iss });
      assert.deepEqual([refused.status, refused.json.error.code], [401, 'provider_answer_refused'], iss);
    }
  });

  it('is finished by the browser that began it, once, with its own state', async () => {
    const [victim, attacker] = [new WebBrowser(program.urls.web), new WebBrowser(program.urls.web)];
    const { answer } = await begin(attacker);
    const refused: readonly object[] = [
      answer,
      { ...answer, state: 'x' },
      { code: answer.code },
      { state: answer.state },
      {},
    ];
    for (const one of refused) {
      const { status, json } = await finish(victim, one);
      assert.deepEqual([status, json.error.code], [401, 'login_state_mismatch'], JSON.stringify(one));
    }
    assert.equal((await victim.ask('/session')).json.session, null);
  });

  it('is begun for known providers, hosts and origins alone', async () => {
    const browser = new WebBrowser(program.urls.web);
    assert.equal((await browser.open('/session/providers/other')).json.error.code, 'unknown_provider');
    const rebound = await browser.open('/session/providers/main', { host: 'evil.example' });
    assert.deepEqual([rebound.status, rebound.json.error.code], [403, 'foreign_host']);
    const linked = await browser.open('/session/providers/main', { 'sec-fetch-site': 'cross-site' });
    assert.deepEqual(
      [linked.status, linked.json.error.code],
      [403, 'foreign_origin'],
      'no page of another site begins it',
    );
  });

  it('has its cookie for HTTPS alone where the public address says so, and returns there', async () => {
    const encrypted = await startTestProgram({
      settings: {
        'http.public_url': PUBLIC_URL,
        ...{ 'auth.oauth.enabled': true, 'auth.oauth.providers': { main: provider.settings() } },
      },
    });
    const browser = new WebBrowser(encrypted.urls.web);
    const host = 'triad.example';
    const { begun, back, answer } = await begin(browser, { host });
    assert.match(
      begun.cookies[0] ?? '',
      /^__Host-web-login=login\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.equal(back.origin, PUBLIC_URL);
    const opened = await browser.ask('/session', {
      method: 'POST',
      json: { method: 'provider', provider: 'main', ...answer },
      headers: { host, 'sec-fetch-site': undefined, origin: PUBLIC_URL },
    });
    assert.equal(opened.status, 200, opened.text);
    assert.match(opened.cookies[0] ?? '', /^__Host-triad=.*; Secure; SameSite=Strict$/);
    const foreign = { host, 'sec-fetch-site': undefined, origin: 'http://triad.example' };
    assert.equal(
      (await browser.ask('/session', { method: 'DELETE', headers: foreign })).status,
      403,
      'a page without TLS',
    );
    await encrypted.close();
  });
});
