import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestAnswer, TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackGround, startAttackGround } from './attack-ground.ts';
import { sendRaw } from './raw-request.ts';

const LOGIN = '/api/v1/auth/login/';
const VICTIM = 'lovelace';

let ground: AttackGround & AsyncDisposable;
/** Where the provider sends browsers back to. */
let page: string;
before(async () => {
  ground = await startAttackGround();
  page = `${ground.program.url}/login?provider=main`;
  ground.provider.allowRedirects([page, `${ground.program.url}/login?provider=other`]);
});
after(() => ground[Symbol.asyncDispose]());

/** A browser: what it has been given, and how it asks. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(answer: TestAnswer): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
  }

  async ask(query: Readonly<Record<string, string>>, request: TestRequest = {}) {
    const headers = { ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...request.headers };
    const outcome = await ground.attack(`${LOGIN}?${new URLSearchParams(query)}`, { ...request, headers });
    this.keep(outcome.answer);
    return outcome;
  }

  /** Begins a login; the address of the provider's page. */
  async begin(query: Readonly<Record<string, string>> = {}, request: TestRequest = {}): Promise<URL> {
    const { answer } = await this.ask({ provider: 'main', ...query }, request);
    assert.equal(answer.status, 302, answer.text);
    return new URL(answer.headers.get('location') ?? '');
  }

  /** Begins, and signs in at the provider: what comes back to the page. */
  async signIn(username = VICTIM): Promise<Record<string, string>> {
    const back = await ground.provider.signIn(await this.begin(), username);
    return { provider: 'main', ...Object.fromEntries(back.searchParams) };
  }
}

interface Row {
  readonly what: string;
  /** What comes to the login of the service, from which browser. */
  readonly make: () => Promise<{ readonly browser: Browser; readonly query: Readonly<Record<string, string>> }>;
  readonly status?: number;
  readonly code: string;
}

const signedIn = async (change: (query: Record<string, string>) => Record<string, string>) => {
  const browser = new Browser();
  return { browser, query: change(await browser.signIn()) };
};
const without = (query: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key !== name));

const ROWS: readonly Row[] = [
  {
    what: 'a made-up code',
    make: () => signedIn((query) => ({ ...query, code: 'x'.repeat(43) })),
    code: 'provider_refused',
  },
  {
    what: 'a wrong state',
    make: () => signedIn((query) => ({ ...query, state: 'x'.repeat(43) })),
    code: 'login_state_mismatch',
  },
  { what: 'no state', make: () => signedIn((query) => without(query, 'state')), code: 'login_state_mismatch' },
  { what: 'an empty state', make: () => signedIn((query) => ({ ...query, state: '' })), code: 'login_state_mismatch' },
  {
    what: 'a wrong nonce',
    make: () => signedIn((query) => ({ ...query, nonce: 'another' })),
    code: 'provider_refused',
  },
  {
    what: 'the answer of another issuer',
    make: () => signedIn((query) => ({ ...query, iss: ground.unknown.issuer })),
    code: 'provider_answer_refused',
  },
  {
    what: 'the name of another provider',
    make: () => signedIn((query) => ({ ...query, provider: 'other' })),
    code: 'login_state_mismatch',
  },
  {
    what: 'a code of 100,000 characters',
    make: () => signedIn((query) => ({ ...query, code: 'c'.repeat(40_000) })),
    code: 'provider_refused',
  },
  {
    what: 'the code and state of the attacker in the browser of the victim (login CSRF)',
    make: async () => {
      const query = await new Browser().signIn('hopper');
      const browser = new Browser();
      await browser.begin();
      return { browser, query };
    },
    code: 'login_state_mismatch',
  },
  {
    what: 'the code and state of the victim in the browser of the attacker',
    make: async () => ({ browser: new Browser(), query: await new Browser().signIn() }),
    code: 'login_state_mismatch',
  },
  {
    what: 'the code of another login under the own state: a wrong verifier',
    make: async () => {
      const { code = '' } = await new Browser().signIn();
      const browser = new Browser();
      const address = await browser.begin();
      return { browser, query: { provider: 'main', code, state: address.searchParams.get('state') ?? '' } };
    },
    code: 'provider_refused',
  },
  {
    what: 'a refusal of the provider',
    make: async () => {
      const browser = new Browser();
      const address = await browser.begin();
      const state = address.searchParams.get('state') ?? '';
      return { browser, query: { provider: 'main', error: 'access_denied', error_description: '<script>', state } };
    },
    code: 'provider_refused',
  },
];

describe('a login through the page of a provider', () => {
  for (const { what, make, status = 401, code } of ROWS) {
    it(`with ${what}: ${status}, nothing is made, and the audit log has it`, async () => {
      const { browser, query } = await make();
      const { answer, events, changedUsers } = await browser.ask({ code: '', ...query });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json.api_response?.app_token, undefined);
      assert.deepEqual(changedUsers, []);
      const provider = query.provider ?? '';
      assert.deepEqual(events, [{ event: 'login_failed', service: 'alerts', method: 'oauth', provider, code }]);
    });
  }

  it('works once: the same code and state a second time are refused', async () => {
    const browser = new Browser();
    const query = await browser.signIn();
    const first = await browser.ask(query);
    assert.equal(first.answer.status, 200, first.answer.text);
    const second = await browser.ask(query);
    assert.equal(second.answer.status, 401, second.answer.text);
    assert.deepEqual(second.changedUsers, []);
    assert.deepEqual(
      second.events.map(({ event }) => event),
      ['login_failed'],
    );
  });

  it('with a made-up refresh token: 401, nothing is made, and the audit log has it', async () => {
    const { answer, events, changedUsers } = await ground.attack(LOGIN, {
      method: 'POST',
      json: { oauth_provider: 'main', refresh_token: 'made up' },
    });
    assert.equal(answer.status, 401, answer.text);
    assert.deepEqual(changedUsers, []);
    assert.deepEqual(events, [
      { event: 'login_failed', service: 'alerts', method: 'oauth', provider: 'main', code: 'provider_refused' },
    ]);
  });
});

describe('open redirects: the code goes to no page but that of the service', () => {
  const ORIGIN = () => new URL(ground.program.url).origin;
  const ROWS: readonly { what: string; headers?: Record<string, string>; query?: Record<string, string> }[] = [
    { what: 'Referer of another site', headers: { referer: 'https://evil.example/login' } },
    { what: 'Referer with our host as user', headers: { referer: 'http://127.0.0.1@evil.example/' } },
    { what: 'Referer whose host begins with ours', headers: { referer: 'http://127.0.0.1.evil.example/' } },
    { what: 'Referer with another port', headers: { referer: 'http://127.0.0.1:1/login' } },
    { what: 'Referer that is a script', headers: { referer: 'javascript:alert(1)//127.0.0.1' } },
    { what: 'Referer with a backslash', headers: { referer: 'http:\\\\evil.example\\@127.0.0.1/' } },
    { what: 'redirect_url', query: { redirect_url: 'https://evil.example/' } },
    { what: 'redirect_uri', query: { redirect_uri: 'https://evil.example/' } },
    { what: 'next', query: { next: '//evil.example/' } },
    { what: 'X-Forwarded-Host', headers: { 'x-forwarded-host': 'evil.example' } },
    { what: 'Forwarded', headers: { forwarded: 'host=evil.example;proto=https' } },
    { what: 'Origin', headers: { origin: 'https://evil.example' } },
    { what: 'X-Original-URL', headers: { 'x-original-url': '//evil.example/' } },
  ];
  for (const { what, headers = {}, query = {} } of ROWS) {
    it(what, async () => {
      const address = await new Browser().begin(query, { headers });
      assert.equal(address.origin, ground.provider.issuer, 'the browser goes to the provider');
      const back = new URL(address.searchParams.get('redirect_uri') ?? '');
      assert.equal(back.origin, ORIGIN());
      assert.equal(back.pathname, '/login');
      assert.doesNotMatch(address.href, /evil/);
    });
  }

  it('a Host of somebody else reaches the provider, which does not know it', async () => {
    const answer = await sendRaw(`${ground.program.url}${LOGIN}?provider=main`, { headers: { host: 'evil.example' } });
    assert.equal(answer.status, 302);
    const refused = await fetch(answer.headers.get('location') ?? '', { redirect: 'manual' });
    assert.equal(refused.status, 400, 'only redirect addresses of the client are taken');
    assert.equal(refused.headers.get('location'), null);
  });

  for (const path of [
    '//evil.example/',
    '//evil.example/%2e%2e',
    '/\\evil.example/',
    '///evil.example',
    '/%2f%2fevil.example/',
    '//evil.example//api/v1/user/whoami/',
  ]) {
    it(`the path ${path} is sent nowhere else, at any service`, async () => {
      for (const url of Object.values(ground.program.urls)) {
        const { headers } = await sendRaw(`${url}`.replace(/\/$/, '') + path, {});
        const location = headers.get('location');
        if (location !== null)
          assert.equal(new URL(location, `${url}/`).origin, new URL(url).origin, `${url} sends to ${location}`);
      }
    });
  }
});
