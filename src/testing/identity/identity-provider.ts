import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { Provider } from 'oidc-provider';
import { SERVICES, type ServiceName } from '../../identity/actor.ts';
import { providerConfiguration } from './identity-provider/provider-configuration.ts';
import { registerGrants } from './identity-provider/provider-grants.ts';
import { openProviderMemory } from './identity-provider/provider-memory.ts';
import { claimsOf, PEOPLE, type ProviderPerson, SERVICE_CLIENTS } from './identity-provider/provider-people.ts';
import { signInAt } from './identity-provider/sign-in.ts';
import { SigningKeys, signToken } from './identity-provider/signing-keys.ts';

export interface IdentityProviderOptions {
  /** Beginning of its key identifiers. Default `key`. */
  readonly name?: string;
  /** People in addition to PEOPLE. */
  readonly people?: Readonly<Record<string, ProviderPerson>>;
  /** Seconds that its access tokens are good for. Default 600. */
  readonly tokenLifetime?: number;
  /** Redirect URIs in addition to those of `redirects`. */
  readonly redirects?: readonly string[];
}

export interface TestIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly keys: SigningKeys;
  /** Can be added to. */
  readonly people: Map<string, ProviderPerson>;
  /** `GET /jwks`, ... as they came. */
  readonly requests: string[];
  /** Further addresses that browsers may be sent back to; takes effect at once. */
  allowRedirects(addresses: readonly string[]): void;
  /** Value of `auth.oauth.providers.<name>`, with a client and an audience of its own for each service. */
  settings(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /**
   * An access token as the provider makes them, without a login; claims replace (undefined: leaves out)
   * those it would have.
   */
  accessToken(username: string, service: ServiceName, claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The claims that `accessToken` would sign. */
  claims(username: string, service: ServiceName, claims?: Readonly<Record<string, unknown>>): JWTPayload;
  /** Signs in through the form; the address that the browser is sent back to. */
  signIn(address: string | URL, username: string, password?: string): Promise<URL>;
  /**
   * New signing keys; tokens of the old ones are not verified by the published set any more, unless they
   * are kept.
   */
  rotateKeys(options?: { readonly keepOld?: boolean }): Promise<void>;
  /** Does not answer any more, until `start`. Sessions and keys stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * An identity provider of its own on a free port of loopback:
 * OpenID Connect with a login form, PKCE, refresh tokens, a client and an audience for each service, token exchange
 * (RFC 8693, and as Entra ID has it) and the password grant. Tests only.
 */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<TestIdentityProvider> {
  const { name = 'key', tokenLifetime = 600 } = options;
  const keys = await SigningKeys.make(name);
  const people = new Map(Object.entries({ ...PEOPLE, ...options.people }));
  const redirects = [...(options.redirects ?? [])];
  const requests: string[] = [];
  const memory = openProviderMemory();
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  let port = 0;
  const listen = async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  const issuer = `http://127.0.0.1:${port}`;
  const build = () => {
    provider = new Provider(issuer, providerConfiguration({ people, keys, redirects, tokenLifetime, memory }));
    registerGrants(provider, { people, keys });
  };
  build();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!provider) return;
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (pathname.startsWith('/interaction/')) return answerForm(provider, request, response);
    if (pathname === '/groups') return answerGroups(request, response);
    await provider.callback()(request, response);
  }

  async function answerForm(current: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { uid } = await current.interactionDetails(request, response);
    if (request.method === 'POST') {
      const form = new URLSearchParams(await text(request));
      const username = form.get('username') ?? '';
      if (people.get(username)?.password === form.get('password')) {
        await current.interactionFinished(request, response, { login: { accountId: username } });
        return;
      }
      response.statusCode = 401;
    }
    response.setHeader('content-type', 'text/html');
    response.end(`<form method="post" action="/interaction/${uid}">
      <input name="username"><input name="password" type="password"><button>Sign in</button></form>`);
  }

  /** Responds with the groups of the user of a token, like Microsoft Graph. */
  async function answerGroups(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const verified = await jwtVerify(token, createLocalJWKSet(keys.published()), { issuer }).catch(() => undefined);
    const groups = people.get(verified?.payload.sub ?? '')?.groups;
    response.statusCode = groups ? 200 : 401;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ value: groups?.map((group) => ({ id: `id-of-${group}`, displayName: group })) }));
  }

  const claims: TestIdentityProvider['claims'] = (username, service, more = {}) => {
    const person = people.get(username);
    const now = Math.floor(Date.now() / 1000);
    const { audience, clientId } = SERVICE_CLIENTS[service];
    const usual = {
      iss: issuer,
      sub: username,
      aud: audience,
      azp: clientId,
      client_id: clientId,
      iat: now,
      exp: now + tokenLifetime,
      jti: crypto.randomUUID(),
      ...(person ? claimsOf(username, person) : {}),
      ...more,
    };
    return Object.fromEntries(Object.entries(usual).filter(([, value]) => value !== undefined));
  };

  return {
    issuer,
    keys,
    people,
    requests,
    claims,
    allowRedirects(addresses) {
      redirects.push(...addresses);
      build();
    },
    settings: (more = {}) => ({
      discovery_url: issuer,
      scope: 'openid email profile',
      services: Object.fromEntries(
        SERVICES.map((service) => {
          const { clientId, clientSecret, audience } = SERVICE_CLIENTS[service];
          return [service, { client_id: clientId, client_secret: clientSecret, audience }];
        }),
      ),
      ...more,
    }),
    accessToken: (username, service, more) => signToken(claims(username, service, more), keys.current),
    signIn: (address, username, password = people.get(username)?.password ?? '') =>
      signInAt(address, { username, password }),
    async rotateKeys(how) {
      await keys.rotate(how);
      build();
    },
    stop: close,
    start: listen,
    [Symbol.asyncDispose]: close,
  };
}
