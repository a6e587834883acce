import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import type { TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const VICTIM = 'lovelace';
const PROVIDER = 'main';

/** The sign-in of a service through a provider. */
interface Flow {
  /** Sends the browser to the provider. */
  readonly begin: (provider: string) => string;
  /** Address to which the page sends the answer of the provider. */
  readonly finish: (provider: string) => string;
  /** Address to which the provider redirects the browser. */
  readonly page: (provider: string) => string;
  /** Refreshes, where the service does. */
  readonly refresh?: string;
}

const login = (provider: string) => `/api/v1/auth/login/?provider=${provider}`;
const FLOWS: Readonly<Record<ServiceName, Flow>> = {
  alerts: {
    begin: login,
    finish: login,
    page: (provider) => `/login?provider=${provider}`,
    refresh: '/api/v1/auth/login/',
  },
  analysis: {
    begin: (provider) => `/api/v4/auth/login/?oauth_provider=${provider}`,
    finish: (provider) => `/api/v4/auth/oauth/?provider=${provider}`,
    page: (provider) => `/oauth/${provider}/`,
  },
  enrichment: {
    begin: login,
    finish: login,
    page: (provider) => `/login?provider=${provider}`,
    refresh: '/api/login/',
  },
};

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const pages = SERVICES.flatMap((service) =>
    [PROVIDER, 'other'].map((provider) => `${fixture.program.urls[service]}${FLOWS[service].page(provider)}`),
  );
  fixture.provider.allowRedirects(pages);
});
after(() => fixture[Symbol.asyncDispose]());

/** The answer that the page sends; `provider` is part of the address. */
type Answer = Readonly<Record<string, string>>;

/** A browser: what it has been given, and how it asks. */
class Browser {
  readonly service: ServiceName;
  readonly #cookies = new CookieJar();

  constructor(service: ServiceName) {
    this.service = service;
  }

  async ask(path: string, request: TestRequest = {}) {
    const cookie = this.#cookies.header;
    const headers = { ...(cookie === '' ? {} : { cookie }), ...request.headers };
    const outcome = await fixture.attack(path, { service: this.service, ...request, headers });
    this.#cookies.keep(outcome.answer);
    return outcome;
  }

  /** Begins a login; the address of the provider's page. */
  async begin(query: Answer = {}, request: TestRequest = {}): Promise<URL> {
    const more = Object.keys(query).length === 0 ? '' : `&${new URLSearchParams(query)}`;
    const { answer, events, changedUsers } = await this.ask(`${FLOWS[this.service].begin(PROVIDER)}${more}`, request);
    assert.equal(answer.status, 302, answer.text);
    // So far no request has named a user.
    assert.deepEqual([events, changedUsers], [[], []]);
    return new URL(answer.headers.get('location') ?? '');
  }

  /** Begins, and signs in at the provider: what comes back to the page. */
  async signIn(username = VICTIM, address?: URL): Promise<Answer> {
    const back = await fixture.provider.signIn(address ?? (await this.begin()), username);
    const { provider: _, ...answer } = Object.fromEntries(back.searchParams);
    return answer;
  }

  finish({ provider = PROVIDER, ...query }: Answer) {
    return this.ask(`${FLOWS[this.service].finish(provider)}&${new URLSearchParams(query)}`);
  }
}

interface Row {
  readonly what: string;
  /** Makes the query that reaches the login of the service, and the browser that sends it. */
  readonly make: (service: ServiceName) => Promise<{ readonly browser: Browser; readonly query: Answer }>;
  readonly code: string;
  /** Services that do not read the argument which it is about. */
  readonly notAt?: readonly ServiceName[];
}

const changed = (change: (query: Answer) => Answer): Row['make'] => {
  return async (service) => {
    const browser = new Browser(service);
    return { browser, query: change(await browser.signIn()) };
  };
};
const without = (query: Answer, name: string): Answer =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key !== name));

const ROWS: readonly Row[] = [
  { what: 'a made-up code', make: changed((query) => ({ ...query, code: 'x'.repeat(43) })), code: 'provider_refused' },
  {
    what: 'a wrong state',
    make: changed((query) => ({ ...query, state: 'x'.repeat(43) })),
    code: 'login_state_mismatch',
  },
  { what: 'no state', make: changed((query) => without(query, 'state')), code: 'login_state_mismatch' },
  { what: 'an empty state', make: changed((query) => ({ ...query, state: '' })), code: 'login_state_mismatch' },
  {
    what: 'a wrong nonce',
    make: changed((query) => ({ ...query, nonce: 'another' })),
    code: 'provider_refused',
    // Its page knows none: the nonce is between the service and the provider.
    notAt: ['analysis'],
  },
  {
    what: 'an identity token of another login: a wrong nonce in it',
    make: async (service) => {
      const browser = new Browser(service);
      const address = await browser.begin();
      address.searchParams.set('nonce', 'n'.repeat(43));
      return { browser, query: await browser.signIn(VICTIM, address) };
    },
    code: 'provider_answer_refused',
  },
  {
    what: 'the answer of another issuer',
    make: changed((query) => ({ ...query, iss: fixture.unknown.issuer })),
    code: 'provider_answer_refused',
  },
  {
    what: 'the name of another provider',
    make: changed((query) => ({ ...query, provider: 'other' })),
    code: 'login_state_mismatch',
  },
  {
    what: 'a code of 40,000 characters',
    make: changed((query) => ({ ...query, code: 'c'.repeat(40_000) })),
    code: 'provider_refused',
  },
  {
    what: 'the code and state of the attacker in the browser of the victim (login CSRF)',
    make: async (service) => {
      const query = await new Browser(service).signIn('hopper');
      const browser = new Browser(service);
      await browser.begin();
      return { browser, query };
    },
    code: 'login_state_mismatch',
  },
  {
    what: 'the code and state of the victim in the browser of the attacker',
    make: async (service) => ({ browser: new Browser(service), query: await new Browser(service).signIn() }),
    code: 'login_state_mismatch',
  },
  {
    what: 'the code and state of a login at another service',
    make: async (service) => {
      const query = await new Browser(service === 'alerts' ? 'enrichment' : 'alerts').signIn();
      const browser = new Browser(service);
      await browser.begin();
      return { browser, query };
    },
    code: 'login_state_mismatch',
  },
  {
    what: 'the code of another login under the own state: a wrong verifier',
    make: async (service) => {
      const { code = '' } = await new Browser(service).signIn();
      const browser = new Browser(service);
      const address = await browser.begin();
      return { browser, query: { code, state: address.searchParams.get('state') ?? '' } };
    },
    code: 'provider_refused',
  },
  {
    what: 'a refusal of the provider',
    make: async (service) => {
      const browser = new Browser(service);
      const address = await browser.begin();
      const state = address.searchParams.get('state') ?? '';
      return { browser, query: { error: 'access_denied', error_description: '<script>', state } };
    },
    code: 'provider_refused',
  },
];

for (const service of SERVICES) {
  describe(`a login through the page of a provider at the ${service} service`, () => {
    for (const { what, make, code } of ROWS.filter(({ notAt = [] }) => !notAt.includes(service))) {
      it(`with ${what}: 401, nothing is made, and the audit log has it`, async () => {
        const { browser, query } = await make(service);
        const { answer, events, changedUsers } = await browser.finish({ code: '', ...query });
        assert.equal(answer.status, 401, answer.text);
        assert.deepEqual(changedUsers, []);
        assert.ok(!answer.headers.getSetCookie().some((line) => /^(session|XSRF-TOKEN)=[^;]/.test(line)), 'no session');
        const { provider = PROVIDER } = query;
        assert.deepEqual(events, [{ event: 'login_failed', service, method: 'oauth', provider, code }]);
      });
    }

    it('works once: the same code and state a second time are refused', async () => {
      const browser = new Browser(service);
      const query = await browser.signIn();
      const first = await browser.finish(query);
      assert.equal(first.answer.status, 200, first.answer.text);
      const second = await browser.finish(query);
      assert.equal(second.answer.status, 401, second.answer.text);
      assert.deepEqual(second.changedUsers, []);
      const code = 'provider_refused';
      assert.deepEqual(second.events, [{ event: 'login_failed', service, method: 'oauth', provider: PROVIDER, code }]);
    });

    const { refresh } = FLOWS[service];
    if (refresh === undefined) return;
    it('with a made-up refresh token: 401, nothing is made, and the audit log has it', async () => {
      const json = { oauth_provider: PROVIDER, refresh_token: 'made up' };
      const { answer, events, changedUsers } = await fixture.attack(refresh, { service, method: 'POST', json });
      assert.equal(answer.status, 401, answer.text);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(events, [
        { event: 'login_failed', service, method: 'oauth', provider: PROVIDER, code: 'provider_refused' },
      ]);
    });

    it('with 100 made-up refresh tokens: 429 after 60, and tokens of others at the address stay good', async () => {
      const browser = new Browser(service);
      const { answer: signedIn } = await browser.finish(await browser.signIn());
      const result = service === 'alerts' ? signedIn.json.api_response : signedIn.json;
      const good = result.refresh_token ?? result.api_response?.refresh_token;
      const send = (token: string) =>
        fixture.program.request(refresh, {
          service,
          method: 'POST',
          json: { oauth_provider: PROVIDER, refresh_token: token },
        });
      const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => send(`made up ${number}`)));
      const throttled = answers.filter(({ status }) => status === 429);
      assert.ok(throttled.length >= 40, `${throttled.length} were throttled`);
      assert.ok(answers.every(({ status }) => status === 401 || status === 429));
      for (const { headers } of throttled) assert.equal(headers.get('retry-after'), '60');
      const refreshed = await send(good);
      assert.equal(refreshed.status, 200, refreshed.text);
    });
  });
}

describe('open redirects: the code goes to no page but that of the service', () => {
  const PLACES: readonly { what: string; headers?: Record<string, string>; query?: Record<string, string> }[] = [
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
  for (const service of SERVICES) {
    for (const { what, headers = {}, query = {} } of PLACES) {
      it(`${what}, at the ${service} service`, async () => {
        const address = await new Browser(service).begin(query, { headers });
        assert.equal(address.origin, fixture.provider.issuer, 'the browser goes to the provider');
        const back = new URL(address.searchParams.get('redirect_uri') ?? '');
        assert.equal(back.href, `${fixture.program.urls[service]}${FLOWS[service].page(PROVIDER)}`);
        assert.doesNotMatch(address.href, /evil/);
      });
    }
  }

  it('a foreign Host reaches the provider, which does not know it', async () => {
    for (const service of SERVICES) {
      const url = `${fixture.program.urls[service]}${FLOWS[service].begin(PROVIDER)}`;
      const answer = await sendRaw(url, { headers: { host: 'evil.example' } });
      assert.equal(answer.status, 302);
      const refused = await fetch(answer.headers.get('location') ?? '', { redirect: 'manual' });
      assert.equal(refused.status, 400, 'only redirect addresses of the client are taken');
      assert.equal(refused.headers.get('location'), null);
    }
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
      for (const url of Object.values(fixture.program.urls)) {
        const { headers } = await sendRaw(`${url}`.replace(/\/$/, '') + path, {});
        const location = headers.get('location');
        if (location !== null)
          assert.equal(new URL(location, `${url}/`).origin, new URL(url).origin, `${url} sends to ${location}`);
      }
    });
  }
});
