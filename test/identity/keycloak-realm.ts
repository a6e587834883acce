import assert from 'node:assert/strict';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { PEOPLE, SERVICE_CLIENTS } from '../../src/testing/identity/identity-provider/provider-people.ts';

/** A realm of its own in a Keycloak, with the people of PEOPLE and a client for each service. */
export interface KeycloakRealm {
  readonly issuer: string;
  /** Value of `auth.oauth.providers.<name>`. */
  settings(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** By the password grant, as a client that belongs to the service. */
  accessToken(username: string, service: ServiceName): Promise<string>;
  /** New signing keys; the old ones are withdrawn. */
  rotateKeys(): Promise<void>;
  /** Browsers may be sent back to addresses that begin with this. */
  allowRedirects(start: string): Promise<void>;
}

/** Optional scope of a token that is for this service, too. */
const scopeFor = (service: ServiceName) => `for-${service}`;

export async function makeKeycloakRealm(server: string): Promise<KeycloakRealm> {
  const name = `triad-${crypto.randomUUID()}`;
  const issuer = `${server}/realms/${name}`;
  let redirects: readonly string[] = [];

  /** The administrator's tokens live for a minute: each call has its own. */
  async function administrate(method: string, path: string, body?: unknown): Promise<unknown> {
    const token = await tokenOf(`${server}/realms/master`, {
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    });
    const answer = await fetch(`${server}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  await administrate('POST', '', { realm: name, enabled: true, sslRequired: 'none', accessTokenLifespan: 600 });
  for (const service of SERVICES) {
    await administrate('POST', `/${name}/client-scopes`, {
      name: scopeFor(service),
      protocol: 'openid-connect',
      attributes: { 'include.in.token.scope': 'true' },
      protocolMappers: [audienceMapper(service)],
    });
  }
  for (const service of SERVICES) await administrate('POST', `/${name}/clients`, clientOf(service));
  const clients = (await administrate('GET', `/${name}/clients`)) as { id: string; clientId: string }[];
  const scopes = (await administrate('GET', `/${name}/client-scopes`)) as { id: string; name: string }[];
  for (const service of SERVICES) {
    const { clientId, mayExchangeFor } = SERVICE_CLIENTS[service];
    const client = clients.find((one) => one.clientId === clientId);
    for (const target of mayExchangeFor) {
      const scope = scopes.find((one) => one.name === scopeFor(target));
      await administrate('PUT', `/${name}/clients/${client?.id}/optional-client-scopes/${scope?.id}`);
    }
  }
  const groups = new Set(Object.values(PEOPLE).flatMap((person) => person.groups));
  for (const group of groups) await administrate('POST', `/${name}/groups`, { name: group });
  for (const [username, person] of Object.entries(PEOPLE)) {
    const [last = '', first = 'Ada'] = person.name.split(', ');
    await administrate('POST', `/${name}/users`, {
      username,
      enabled: true,
      email: person.email,
      emailVerified: true,
      firstName: first,
      lastName: last,
      groups: person.groups.map((group) => `/${group}`),
      credentials: [{ type: 'password', value: person.password, temporary: false }],
    });
  }

  return {
    issuer,
    settings: (more = {}) => ({
      discovery_url: issuer,
      scope: 'openid email profile',
      services: Object.fromEntries(
        SERVICES.map((service) => {
          const { clientId, clientSecret } = SERVICE_CLIENTS[service];
          return [service, { client_id: clientId, client_secret: clientSecret, exchange_scope: scopeFor(service) }];
        }),
      ),
      ...more,
    }),
    accessToken: (username, service) =>
      tokenOf(issuer, {
        client_id: SERVICE_CLIENTS[service].clientId,
        client_secret: SERVICE_CLIENTS[service].clientSecret,
        username,
        password: PEOPLE[username]?.password ?? '',
        scope: 'openid email profile',
      }),
    async rotateKeys() {
      const path = `/${name}/components`;
      const type = 'org.keycloak.keys.KeyProvider';
      const known = (await administrate('GET', `${path}?type=${type}`)) as { id: string; providerId: string }[];
      const realm = (await administrate('GET', `/${name}`)) as { id: string };
      await administrate('POST', path, {
        name: `rsa-${crypto.randomUUID()}`,
        providerId: 'rsa-generated',
        providerType: type,
        parentId: realm.id,
        config: { priority: ['1000'], keySize: ['2048'], algorithm: ['RS256'], enabled: ['true'], active: ['true'] },
      });
      for (const { id, providerId } of known) {
        if (providerId === 'rsa-generated') await administrate('DELETE', `${path}/${id}`);
      }
    },
    async allowRedirects(start) {
      redirects = [...redirects, `${start}/*`];
      for (const service of SERVICES) {
        const client = clients.find((one) => one.clientId === SERVICE_CLIENTS[service].clientId);
        await administrate('PUT', `/${name}/clients/${client?.id}`, { redirectUris: redirects });
      }
    },
  };
}

async function tokenOf(realm: string, parameters: Record<string, string>): Promise<string> {
  const answer = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', ...parameters }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${realm} gives no token: ${answer.status} ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

function clientOf(service: ServiceName): Record<string, unknown> {
  const { clientId, clientSecret } = SERVICE_CLIENTS[service];
  return {
    clientId,
    secret: clientSecret,
    protocol: 'openid-connect',
    publicClient: false,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: true,
    redirectUris: [],
    attributes: { 'standard.token.exchange.enabled': 'true', 'pkce.code.challenge.method': 'S256' },
    protocolMappers: [
      // Who exchanges a token has to be among its audiences.
      audienceMapper(service),
      {
        name: 'groups',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-group-membership-mapper',
        config: {
          'claim.name': 'groups',
          'full.path': 'false',
          'id.token.claim': 'true',
          'access.token.claim': 'true',
        },
      },
    ],
  };
}

function audienceMapper(service: ServiceName): Record<string, unknown> {
  return {
    name: `audience ${service}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: {
      'included.client.audience': SERVICE_CLIENTS[service].clientId,
      'access.token.claim': 'true',
      'id.token.claim': 'false',
    },
  };
}
