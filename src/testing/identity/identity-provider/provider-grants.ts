import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { errors, type Provider, type TokenEndpointGrantContext } from 'oidc-provider';
import { SERVICES, type ServiceName } from '../../../identity/actor.ts';
import { type ProviderPerson, SERVICE_CLIENTS } from './provider-people.ts';
import type { SigningKeys } from './signing-keys.ts';

interface Dependencies {
  readonly people: ReadonlyMap<string, ProviderPerson>;
  readonly keys: SigningKeys;
}

/**
 * The grants that the library does not have: passwords of service accounts, exchange by RFC 8693, and
 * on-behalf-of as Entra ID has it.
 */
export function registerGrants(provider: Provider, { people, keys }: Dependencies): void {
  provider.registerGrantType<{ username?: string; password?: string }>(
    'password',
    async (ctx) => {
      const { username = '', password } = ctx.oidc.params;
      if (people.get(username)?.password !== password) throw new errors.InvalidGrant('wrong name or password');
      const own = serviceOf(ctx);
      await giveToken(provider, ctx, username, own);
    },
    ['username', 'password', 'scope'],
  );
  provider.registerGrantType<{ subject_token?: string; subject_token_type?: string; audience?: string }>(
    'urn:ietf:params:oauth:grant-type:token-exchange',
    async (ctx) => {
      const { subject_token, subject_token_type, audience } = ctx.oidc.params;
      if (!subject_token_type?.startsWith('urn:ietf:params:oauth:token-type:'))
        throw new errors.InvalidRequest('subject_token_type');
      const target = SERVICES.find((service) => SERVICE_CLIENTS[service].audience === audience);
      await exchange(provider, ctx, keys, subject_token, target);
      ctx.body = { ...(ctx.body as object), issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    },
    ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'scope'],
  );
  provider.registerGrantType<{ assertion?: string; requested_token_use?: string }>(
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    async (ctx) => {
      const { assertion, requested_token_use, scope } = ctx.oidc.params;
      if (requested_token_use !== 'on_behalf_of') throw new errors.InvalidRequest('requested_token_use');
      const target = SERVICES.find((service) => `${SERVICE_CLIENTS[service].audience}/.default` === scope);
      await exchange(provider, ctx, keys, assertion, target);
    },
    ['assertion', 'requested_token_use', 'scope'],
  );
}

async function exchange(
  provider: Provider,
  ctx: TokenEndpointGrantContext,
  keys: SigningKeys,
  token: string | undefined,
  target: ServiceName | undefined,
): Promise<void> {
  const own = serviceOf(ctx);
  if (!target || !SERVICE_CLIENTS[own].mayExchangeFor.includes(target))
    throw new errors.InvalidTarget('not a target of this client');
  let claims: JWTPayload;
  try {
    // As usual: only who a token is for may exchange it.
    const options = { issuer: provider.issuer, audience: SERVICE_CLIENTS[own].audience };
    ({ payload: claims } = await jwtVerify(token ?? '', createLocalJWKSet(keys.published()), options));
  } catch {
    throw new errors.InvalidGrant('the token is not good, or not for this client');
  }
  await giveToken(provider, ctx, claims.sub ?? '', target);
}

function serviceOf(ctx: TokenEndpointGrantContext): ServiceName {
  const service = SERVICES.find((one) => SERVICE_CLIENTS[one].clientId === ctx.oidc.client.clientId);
  if (!service) throw new errors.InvalidClient('not a client of this installation');
  return service;
}

async function giveToken(
  provider: Provider,
  ctx: TokenEndpointGrantContext,
  username: string,
  target: ServiceName,
): Promise<void> {
  const { client } = ctx.oidc;
  const { resource, audience } = SERVICE_CLIENTS[target];
  const token = new provider.AccessToken({ accountId: username, client, scope: 'openid', gty: 'exchange' } as never);
  token.resourceServer = new provider.ResourceServer(resource, { scope: 'openid', audience, accessTokenFormat: 'jwt' });
  const value = await token.save();
  ctx.body = { access_token: value, token_type: 'Bearer', expires_in: token.expiration };
}
