import { type Configuration, fetchUserInfo } from 'openid-client';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { isUnavailable, Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Claims } from './oauth-profile.ts';
import type { IdentityProvider } from './provider.ts';
import { providerFetch } from './provider-fetch.ts';
import type { TokenVerifier } from './token-verifier.ts';
import type { VerifiedToken } from './verified-token.ts';

/**
 * Asks the provider for what its tokens do not say: at the address `user_get` of its settings, else as OpenID Connect has it. Nothing when it
 * does not tell, or tells of somebody else.
 */
export async function askProfile(
  provider: IdentityProvider,
  configuration: Configuration,
  token: string,
  subject: string,
  log: IdentityLog,
): Promise<Claims> {
  const { user_get, api_base_url } = provider.settings;
  try {
    if (user_get) return await profileAt(new URL(user_get, api_base_url ?? undefined), token, subject);
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return await fetchUserInfo(configuration, token, subject);
  } catch (error) {
    log.warn({ provider: provider.name, err: error }, `the provider ${provider.name} does not tell who signs in`);
    return {};
  }
}

async function profileAt(address: URL, token: string, subject: string): Promise<Claims> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const answer = await providerFetch(address.href, { headers });
  if (answer.status !== 200) throw new Error(`${address.origin} answered with status ${answer.status}`);
  const told: unknown = await answer.json();
  if (!isObject(told)) throw new Error('the answer is no JSON object');
  const claims = told as Claims;
  if (claims.sub !== undefined && claims.sub !== subject) throw new Error('the answer is about somebody else');
  return claims;
}

/**
 * The access token that a provider gave at a login, which has to be good at the service afterwards.
 * @throws Unauthenticated `provider_token_refused`: provider and settings do not fit together, which the log explains
 * @throws Unavailable `identity_provider_unavailable`
 */
export async function acceptedToken(
  { verifier, log }: { readonly verifier: Pick<TokenVerifier, 'verify'>; readonly log: IdentityLog },
  provider: IdentityProvider,
  service: ServiceName,
  accessToken: string,
): Promise<VerifiedToken> {
  try {
    return await verifier.verify(accessToken, service, { provider: provider.name });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error(
      { provider: provider.name, service, audiences: provider.client(service).audiences, err: error },
      `the access token that ${provider.name} gives out is no good at the ${service} service: it has to be a JSON Web Token for one of these audiences`,
    );
    throw new Unauthenticated(
      'provider_token_refused',
      'The identity provider gave a token that this service does not accept. The log tells an administrator why.',
      { cause: error },
    );
  }
}
