import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  tokenRevocation,
} from 'openid-client';
import type { Coordination } from '../../coordination/coordination.ts';
import { InvalidInput, TooManyRequests } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { type AuditLog, type AuditOrigin, attributed, holderOf } from '../audit/audit-log.ts';
import type { IdentityLog } from '../identity-log.ts';
import { accountDisabled } from '../login-refusals.ts';
import type { RecentUser } from '../user-store.ts';
import type { ClaimDocuments, Claims } from './claim-values.ts';
import { LoginStates } from './login-states.ts';
import type { OAuthAccounts } from './oauth-accounts.ts';
import type { OAuthProfile } from './oauth-profile.ts';
import type { IdentityProvider } from './provider.ts';
import type { ProviderCallers } from './provider-callers.ts';
import { providerFailure, refused } from './provider-failure.ts';
import { REDIRECT_ADDRESS } from './provider-fetch.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { AddressLimit, RefreshLimit } from './refresh-limit.ts';
import { acceptedToken, askProfile } from './sign-in-claims.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { holderOfToken, holderOfUser, type VerifiedToken } from './verified-token.ts';

interface CodeLoginDependencies {
  readonly registry: ProviderRegistry;
  readonly verifier: TokenVerifier;
  readonly accounts: OAuthAccounts;
  readonly callers: Pick<ProviderCallers, 'rememberReported'>;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

/** The provider and the service of a login, and its request. */
interface LoginPlace {
  /** Name of the provider. */
  readonly provider: string;
  readonly service: ServiceName;
  /** For the audit log; `ip_filter` checks its address. */
  readonly origin: AuditOrigin;
}

export interface LoginBeginning extends LoginPlace {
  /** Made by `returnAddress`. */
  readonly redirectAddress: string;
  /** Nonce of the page. Default: a random one. */
  readonly nonce?: string | undefined;
  /** Binding of an earlier `begin` in this browser. */
  readonly binding?: string | undefined;
}

/** The answer of a provider through the browser, by its names (RFC 6749 section 4.1.2, RFC 9207). */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

export interface LoginAnswer extends LoginPlace, ProviderAnswer {
  /** Nonce of the page, if the page sends it again. */
  readonly nonce?: string | undefined;
  readonly binding: string | undefined;
  /** The page hands over every argument: a missing `iss` was removed on the way. Default false. */
  readonly isComplete?: boolean;
}

export interface OAuthSignIn {
  /** Enabled, as of at most a second ago. */
  readonly user: RecentUser;
  readonly profile: OAuthProfile;
  /** The access token, which the service accepts as `Bearer`. */
  readonly token: VerifiedToken;
  /** Null when the provider issued none (at a refresh: no new one). */
  readonly refreshToken: string | null;
}

/** A sign-in at a provider, as far as what follows it needs to know. */
export interface ProviderArrival extends Pick<OAuthSignIn, 'user' | 'token'> {
  readonly profile: Pick<OAuthProfile, 'picture' | 'pictureFrom'>;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

const MAX_ARGUMENT = 16_384;
/** Limit of logins that one address begins; each is stored until it ends or expires. */
const BEGUN_LOGINS = { most: 1000, lifetime: 60_000 };

/**
 * Logs users in through the page of an identity provider: authorization code with PKCE, state and
 * nonce, bound to one browser (RFC 6749, 7636, 9207, OpenID Connect Core). Safe for concurrent use, also by processes.
 */
export class CodeLogin {
  readonly #dependencies: CodeLoginDependencies;
  readonly #states: LoginStates;
  readonly #begun: AddressLimit;
  readonly #refreshes: RefreshLimit;

  constructor(dependencies: CodeLoginDependencies) {
    this.#dependencies = dependencies;
    this.#states = new LoginStates(dependencies.coordination);
    const { counters } = dependencies.coordination;
    this.#begun = new AddressLimit(counters, { name: 'oauth-begun-logins', ...BEGUN_LOGINS });
    this.#refreshes = new RefreshLimit(dependencies.coordination);
  }

  /**
   * Starts a login. Returns the address for the browser, and `binding` for an HttpOnly cookie.
   * @throws InvalidInput `oauth_disabled`, `unknown_provider`, `provider_without_client`, `wrong_argument_kind`
   * @throws `address_not_admitted`, `too_many_begun_logins`, `identity_provider_unavailable`
   */
  async begin(beginning: LoginBeginning): Promise<{ readonly address: string; readonly binding: string }> {
    const { service, redirectAddress, nonce } = beginning;
    const provider = this.#provider(beginning);
    if (nonce !== undefined && !/^[\x21-\x7e]{1,256}$/.test(nonce)) {
      throw new InvalidInput('wrong_argument_kind', 'A nonce has 1 to 256 visible ASCII characters.', { at: 'nonce' });
    }
    if (!(await this.#begun.count(beginning.origin.address))) {
      const message = 'Too many logins are begun at your address. Try again in a minute.';
      throw new TooManyRequests('too_many_begun_logins', message, { retryAfter: BEGUN_LOGINS.lifetime / 1000 });
    }
    const configuration = await provider.configuration(service);
    const { scope } = provider.client(service);
    const isOpenId = scope.split(/\s+/).includes('openid');
    const begun = await this.#states.begin(
      { provider: provider.name, service, redirectAddress },
      isOpenId ? nonce : null,
      beginning.binding,
    );
    const address = buildAuthorizationUrl(configuration, {
      ...provider.settings.authorize_params,
      scope,
      redirect_uri: redirectAddress,
      state: begun.state,
      ...(begun.nonce === undefined ? {} : { nonce: begun.nonce }),
      ...(provider.settings.pkce ? { code_challenge: begun.codeChallenge, code_challenge_method: 'S256' } : {}),
    });
    return { address: address.href, binding: begun.binding };
  }

  /**
   * Finishes a login with the answer of the provider, and audits it.
   * @throws as `verify`
   */
  async finish(answer: LoginAnswer): Promise<OAuthSignIn> {
    const signedIn = await this.verify(answer);
    this.#auditSuccess(answer, signedIn);
    return signedIn;
  }

  /**
   * Verifies the answer of the provider. Only a refusal is audited: the user has signed in when the
   * caller opens a session, for which it may demand a second factor first.
   * @throws Unauthenticated `login_state_mismatch`, `provider_refused`, `provider_answer_refused`, `provider_token_refused`
   * @throws Forbidden `not_admitted`, `account_missing`, `email_not_verified`, `account_disabled`; and as `begin`
   */
  verify(answer: LoginAnswer): Promise<OAuthSignIn> {
    return this.#auditingRefusals(answer, async () => {
      const provider = this.#provider(answer);
      const { code = '', state, iss, service, binding } = answer;
      const login = await this.#states.finish(state, { provider: provider.name, service, code, binding });
      if (answer.error !== undefined) throw refused(answer.error, answer.error_description);
      if (code === '' || code.length > MAX_ARGUMENT) throw refused('invalid_request', 'no code');
      if (answer.nonce !== undefined && answer.nonce !== login.nonce) {
        throw refused('invalid_nonce', 'not that of this login');
      }
      const current = new URL(login.redirectAddress);
      current.searchParams.set('code', code);
      current.searchParams.set('state', state ?? '');
      const tokens = await provider.grant(service, (configuration) => {
        // Pages of the public system pass on code and state only. The redirect address identifies the provider, too
        // (RFC 9700 section 4.4.2).
        const { issuer } = configuration.serverMetadata();
        const named = provider.hasKnownIssuer ? (iss ?? (answer.isComplete ? undefined : issuer)) : issuer;
        if (named !== undefined) current.searchParams.set('iss', named);
        return authorizationCodeGrant(
          configuration,
          current,
          {
            expectedState: state ?? '',
            ...(provider.settings.pkce ? { pkceCodeVerifier: login.codeVerifier } : {}),
            ...(login.nonce === undefined ? {} : { expectedNonce: login.nonce }),
          },
          { ...provider.settings.access_token_params, [REDIRECT_ADDRESS]: login.redirectAddress },
        );
      });
      return this.#signedIn(provider, answer, tokens);
    });
  }

  /** Exchanges a refresh token for an access token; throws `too_many_refused_refreshes`, as `finish`. */
  async refresh(place: LoginPlace & { readonly refreshToken: string }): Promise<OAuthSignIn> {
    const signedIn = await this.#auditingRefusals(place, async () => {
      const provider = this.#provider(place);
      const { service, refreshToken } = place;
      if (refreshToken.length > MAX_ARGUMENT) throw refused('invalid_grant', 'refresh token not valid');
      const { access_token_params: parameters } = provider.settings;
      const tokens = await this.#refreshes.attempt(place, refreshToken, () =>
        provider.grant(service, (configuration) => refreshTokenGrant(configuration, refreshToken, parameters)),
      );
      const isReplaced = tokens.refresh_token !== undefined && tokens.refresh_token !== refreshToken;
      if (isReplaced) await this.#refreshes.forget(place, refreshToken);
      return this.#signedIn(provider, place, tokens, refreshToken);
    });
    this.#auditSuccess(place, signedIn);
    return signedIn;
  }

  /** Revokes a refresh token if possible; returns the provider's page that ends the session, if any. */
  async end(place: LoginPlace & { readonly refreshToken: string | undefined }): Promise<string | undefined> {
    const provider = this.#provider(place);
    try {
      const configuration = await provider.configuration(place.service);
      const { revocation_endpoint, end_session_endpoint } = configuration.serverMetadata();
      if (place.refreshToken !== undefined && revocation_endpoint !== undefined) {
        await tokenRevocation(configuration, place.refreshToken, { token_type_hint: 'refresh_token' });
      }
      return end_session_endpoint;
    } catch (error) {
      // A failure at the provider does not prevent the logout here.
      this.#dependencies.log.warn({ provider: provider.name, err: error }, 'a refresh token could not be revoked');
      return undefined;
    }
  }

  #provider({ provider: name, origin }: LoginPlace): IdentityProvider {
    const { registry } = this.#dependencies;
    if (!registry.enabled) throw new InvalidInput('oauth_disabled', 'OAuth is disabled.', { at: 'provider' });
    const provider = registry.find(name);
    if (!provider) {
      throw new InvalidInput('unknown_provider', 'There is no identity provider of that name.', { at: 'provider' });
    }
    provider.rejectOtherNetworks(origin.address);
    return provider;
  }

  /** Returns the user of issued tokens. Without a new one `refreshToken` stays valid (RFC 6749, 6). */
  async #signedIn(
    provider: IdentityProvider,
    place: LoginPlace,
    tokens: Tokens,
    refreshToken?: string,
  ): Promise<OAuthSignIn> {
    const { accounts, callers } = this.#dependencies;
    const { service, origin } = place;
    const usable = tokens.refresh_token ?? refreshToken;
    if (usable !== undefined) await this.#refreshes.remember(place, usable);
    const token = await acceptedToken(this.#dependencies, provider, service, tokens.access_token);
    try {
      const documents = await this.#documentsOf(provider, service, token, tokens.claims());
      const user = await accounts.userOfClaims(provider.name, documents, service, origin);
      if (!user.is_active) throw attributed(accountDisabled(user.uname), holderOfUser(user, token));
      accounts.remember(token, user);
      callers.rememberReported(token);
      const profile = accounts.profileOf(provider.name, documents);
      return { user, profile, token, refreshToken: tokens.refresh_token ?? null };
    } catch (error) {
      throw holderOf(error) ? error : attributed(error, holderOfToken(token));
    }
  }

  /** Returns the claims of the tokens, and of the profile if they contain no verified address. */
  async #documentsOf(
    provider: IdentityProvider,
    service: ServiceName,
    { claims, token }: VerifiedToken,
    identity: Claims | undefined,
  ): Promise<ClaimDocuments> {
    const subject = typeof claims.sub === 'string' ? claims.sub : '';
    if (identity !== undefined && identity.sub !== subject) throw refused('invalid_token', 'tokens of two users');
    const issued: ClaimDocuments = identity === undefined ? [claims] : [identity, claims];
    if (this.#dependencies.accounts.profileOf(provider.name, issued).emailVerified) return issued;
    const configuration = await provider.configuration(service);
    return [...issued, await askProfile(provider, configuration, token, subject, this.#dependencies.log)];
  }

  #auditSuccess({ origin, provider }: LoginPlace, { user, token }: OAuthSignIn): void {
    const event = { ...origin, method: 'oauth', provider, ...holderOfUser(user, token) };
    this.#dependencies.audit.write({ ...event, event: 'login_succeeded' });
  }

  async #auditingRefusals({ origin, provider }: LoginPlace, signIn: () => Promise<OAuthSignIn>): Promise<OAuthSignIn> {
    const { audit, log } = this.#dependencies;
    try {
      return await signIn();
    } catch (error) {
      const failure = providerFailure(error, provider, log);
      // A login that could not be checked was not refused.
      if (failure.kind !== 'unavailable') {
        const event = { ...origin, method: 'oauth', provider, ...holderOf(failure) };
        audit.write({ ...event, event: 'login_failed', code: failure.code });
      }
      throw failure;
    }
  }
}

/** Returns whether a provider sent the browser. */
export function isAnswered({ code, error }: ProviderAnswer): boolean {
  return code !== undefined || error !== undefined;
}
