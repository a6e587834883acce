import { type Configuration, fetchUserInfo } from 'openid-client';
import { isUnavailable, Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { Claims } from './claim-values.ts';
import type { IdentityProvider } from './provider.ts';
import { fetchProviderJson } from './provider-fetch.ts';
import type { TokenVerifier } from './token-verifier.ts';
import type { VerifiedToken } from './verified-token.ts';

/** Requests a profile (`user_get`, else OpenID Connect); none without an answer or for another user. */
export async function askProfile(
  { name, settings }: IdentityProvider,
  configuration: Configuration,
  token: string,
  subject: string,
  log: IdentityLog,
): Promise<Claims> {
  const { user_get, api_base_url } = settings;
  try {
    if (!user_get) {
      const hasProfile = configuration.serverMetadata().userinfo_endpoint !== undefined;
      return hasProfile ? await fetchUserInfo(configuration, token, subject) : {};
    }
    const address = new URL(user_get, api_base_url ?? undefined);
    const claims = await fetchProviderJson(address.href, token);
    if (claims.sub !== undefined && claims.sub !== subject) throw new Error('the answer is about another user');
    return claims;
  } catch (error) {
    log.warn({ provider: name, err: error }, `the provider ${name} does not give the profile of a user`);
    return {};
  }
}

/** Verifies the access token of a login; throws `provider_token_refused` (see the log), Unavailable. */
export async function acceptedToken(
  { verifier, log }: { readonly verifier: Pick<TokenVerifier, 'verify'>; readonly log: IdentityLog },
  provider: IdentityProvider,
  service: ServiceName,
  accessToken: string,
): Promise<VerifiedToken> {
  try {
    return await verifier.verify(accessToken, service, provider.name);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error(
      { provider: provider.name, service, audiences: provider.client(service).audiences, err: error },
      `the access token that ${provider.name} issues is not valid at the ${service} service: it has to be a JSON Web Token for one of these audiences`,
    );
    throw new Unauthenticated(
      'provider_token_refused',
      'The identity provider gave a token that this service does not accept. The log tells an administrator why.',
      { cause: error },
    );
  }
}
