import { isUnavailable, Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { IdentityProvider } from './provider.ts';
import type { TokenVerifier } from './token-verifier.ts';
import type { VerifiedToken } from './verified-token.ts';

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
