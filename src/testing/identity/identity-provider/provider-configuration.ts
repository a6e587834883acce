import { type Adapter, type Configuration, errors, type JWKS } from 'oidc-provider';
import { SERVICES, type ServiceName } from '../../../identity/actor.ts';
import { claimsOf, type ProviderPerson, SERVICE_CLIENTS } from './provider-people.ts';
import type { SigningKeys } from './signing-keys.ts';

interface Dependencies {
  readonly people: ReadonlyMap<string, ProviderPerson>;
  readonly keys: SigningKeys;
  readonly redirects: readonly string[];
  readonly tokenLifetime: number;
  readonly memory: (kind: string) => Adapter;
}

const SCOPE = 'openid email profile';
const GRANTS = [
  'authorization_code',
  'refresh_token',
  'password',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
];

/**
 * Configures oidc-provider: the services as clients, JWT access tokens for the audience of the client,
 * mandatory PKCE, no consent prompts.
 */
export function providerConfiguration({ people, keys, redirects, tokenLifetime, memory }: Dependencies): Configuration {
  return {
    adapter: memory,
    jwks: { keys: keys.all().map(({ privateJwk }) => privateJwk) } as JWKS,
    clients: SERVICES.map((service) => ({
      client_id: SERVICE_CLIENTS[service].clientId,
      client_secret: SERVICE_CLIENTS[service].clientSecret,
      redirect_uris: redirects.length > 0 ? [...redirects] : ['http://127.0.0.1/unused'],
      grant_types: GRANTS,
      response_types: ['code'],
    })),
    cookies: { keys: ['of the provider for tests'] },
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'groups', 'picture'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, username) => {
      const person = people.get(username);
      if (!person) return undefined;
      return { accountId: username, claims: () => ({ sub: username, ...claimsOf(username, person) }) };
    },
    extraTokenClaims: (_context, token) => {
      const username = 'accountId' in token ? token.accountId : '';
      const person = people.get(username);
      return { azp: token.clientId, ...(person ? claimsOf(username, person) : {}) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope(SCOPE);
      for (const service of SERVICES) grant.addResourceScope(SERVICE_CLIENTS[service].resource, SCOPE);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, client) => SERVICE_CLIENTS[serviceOfClient(client?.clientId)].resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          const service = SERVICES.find((one) => SERVICE_CLIENTS[one].resource === resource);
          if (!service) throw new errors.InvalidTarget();
          return { scope: SCOPE, audience: SERVICE_CLIENTS[service].audience, accessTokenFormat: 'jwt' };
        },
      },
    },
    ttl: {
      AccessToken: () => tokenLifetime,
      AuthorizationCode: () => 60,
      IdToken: () => tokenLifetime,
      RefreshToken: () => 3600,
      Session: () => 3600,
      Grant: () => 3600,
      Interaction: () => 600,
    },
  };
}

function serviceOfClient(clientId: string | undefined): ServiceName {
  return SERVICES.find((service) => SERVICE_CLIENTS[service].clientId === clientId) ?? 'alerts';
}
