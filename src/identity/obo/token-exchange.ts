import type { Coordination } from '../../coordination/coordination.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { type CredentialHolder, holderOf } from '../audit/refusals.ts';
import type { IdentityLog } from '../identity-log.ts';
import { RecentFailures } from '../limits/recent-failures.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import type { ProviderRegistry } from '../oauth/provider-registry.ts';
import type { TokenVerifier } from '../oauth/token-verifier.ts';
import { authorisedParty, holderOfToken, isFor, type VerifiedToken } from '../oauth/verified-token.ts';
import {
  type ConfiguredTargets,
  claimsOf,
  type ExchangeTarget,
  exchangeGrant,
  exchangeTarget,
  type GrantedToken,
  GrantFailure,
  isForTarget,
} from './exchange-grant.ts';
import { KeptTokens, type TokenPlace } from './kept-tokens.ts';

/**
 * Somebody else who may know how to exchange a token, asked before the provider: an extension (contract/enrichment.md section 1.5).
 * @returns null when they do not handle the target
 */
export type TokenExchanger = (target: string, token: string, user: string) => Promise<string | null>;

export interface TokenExchangeDependencies {
  /** That exchanges: with its own client at each provider, and in whose name it is audited. */
  readonly service: ServiceName;
  readonly registry: ProviderRegistry;
  readonly verifier: TokenVerifier;
  /** Targets besides the services of the installation, by name. */
  readonly targets: ConfiguredTargets;
  /** In the order in which they are asked. Default: none. */
  readonly exchangers?: readonly TokenExchanger[];
  readonly tokens: Pick<Coordination['tokens'], 'put' | 'get' | 'removeWithPrefix'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** For trying out: whoever is configured with this target gets the token of the user as it is (contract/enrichment.md section 1.5). */
const SAME_TOKEN = 'test-obo';
/** Milliseconds that a token is kept of which nobody says when it ends. */
const USUAL_LIFETIME = 300_000;
/** Milliseconds after a failure before the same is asked again: nobody floods a provider, or waits for one that is down again and again. */
const FAILURE_PAUSE = 3000;
const MAX_FAILURES = 1000;

/**
 * Exchanges tokens of users for tokens that are for another service: an on-behalf-of token. What was exchanged is used again, by all
 * processes, until shortly before it expires. Safe for concurrent use; the same exchange is made once at a time, and after a failure not for
 * three seconds.
 */
export class TokenExchange {
  readonly #dependencies: TokenExchangeDependencies;
  readonly #kept: KeptTokens;
  readonly #now: () => number;
  readonly #underWay = new Map<string, Promise<string | null>>();
  readonly #failures: RecentFailures<{ readonly error: unknown }>;

  constructor(dependencies: TokenExchangeDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    this.#failures = new RecentFailures({ limit: MAX_FAILURES, lifetime: FAILURE_PAUSE, now: this.#now });
    this.#kept = new KeptTokens({ tokens: dependencies.tokens, now: this.#now });
  }

  /** Whether there is such a target: one that is configured, or a service of this installation. */
  has(target: string): boolean {
    const { registry, targets } = this.#dependencies;
    return Object.hasOwn(targets, target) || registry.all().some((provider) => exchangeTarget(target, {}, provider));
  }

  /**
   * A token of the user that is for the target. Never throws for what is wrong with token, target or provider: that is null, with the
   * reason in the log and in the audit log.
   * @param token an access token that was accepted at this service
   * @param target name of a configured target, or of a service
   * @param user whose token it is; by their name it is kept
   */
  async exchange(token: string, target: string, user: string): Promise<string | null> {
    let verified: VerifiedToken | undefined;
    try {
      verified = await this.#dependencies.verifier.verify(token, this.#dependencies.service);
      return await this.#exchanged(verified, target, user);
    } catch (error) {
      this.#report(error, target, user, verified ? holderOfToken(verified) : holderOf(error));
      return null;
    }
  }

  /**
   * Tokens that were exchanged for a user are not used any more; those that were handed out end by themselves. While coordination is gone they
   * go on until they end.
   */
  async forget(user: string): Promise<void> {
    await this.#whileAvailable(this.#kept.forget(user));
  }

  async #exchanged(verified: VerifiedToken, name: string, user: string): Promise<string | null> {
    const { registry, service, targets } = this.#dependencies;
    const provider = registry.find(verified.provider);
    if (!provider) throw new GrantFailure('provider_unknown');
    const target = exchangeTarget(name, targets, provider);
    if (!target) throw new GrantFailure('exchange_target_unknown');
    if (name === SAME_TOKEN || isForTargetAlready(verified, target, provider.client(service).audience))
      return verified.token;
    const place: TokenPlace = {
      user,
      target: name,
      holder: [service, verified.provider, String(verified.claims.sub)],
      secret: provider.client(service).clientSecret,
    };
    const key = JSON.stringify([place.user, place.target, place.holder]);
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const failure = this.#failures.get(key);
    if (failure) throw failure.error;
    const begun = this.#findOrExchange(provider, verified, target, place)
      .catch((error: unknown) => {
        this.#failures.add(key, { error });
        throw error;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }

  async #findOrExchange(
    provider: IdentityProvider,
    verified: VerifiedToken,
    target: ExchangeTarget,
    place: TokenPlace,
  ): Promise<string> {
    const found = await this.#whileAvailable(this.#kept.find(place));
    if (found?.token !== undefined && (await this.#isGood(found.token, provider, target))) return found.token;
    const granted =
      (await this.#askExchangers(verified.token, target, place.user)) ??
      (await this.#askProvider(provider, verified.token, target));
    if (found !== undefined) {
      await this.#whileAvailable(this.#kept.keep(place, granted.token, granted.expires, found.generation));
    }
    const { service, audit, log } = this.#dependencies;
    const azp = granted.claims ? authorisedParty(granted.claims) : undefined;
    audit.write({
      event: 'token_exchanged',
      service,
      user: place.user,
      target: target.name,
      provider: provider.name,
      azp: azp ?? provider.client(service).clientId,
    });
    log.info({ user: place.user, target: target.name, provider: provider.name }, 'a token was exchanged');
    return granted.token;
  }

  async #askExchangers(token: string, target: ExchangeTarget, user: string): Promise<GrantedToken | undefined> {
    for (const exchanger of this.#dependencies.exchangers ?? []) {
      try {
        const exchanged = await exchanger(target.name, token, user);
        if (exchanged === null || exchanged === '') continue;
        const claims = claimsOf(exchanged);
        const expires = typeof claims?.exp === 'number' ? claims.exp * 1000 : this.#now() + USUAL_LIFETIME;
        return { token: exchanged, claims, expires };
      } catch (error) {
        this.#dependencies.log.warn(
          { err: error, target: target.name, user },
          'an extension failed to exchange a token; the next one is asked',
        );
      }
    }
    return undefined;
  }

  async #askProvider(provider: IdentityProvider, token: string, target: ExchangeTarget): Promise<GrantedToken> {
    const granted = await exchangeGrant(provider, this.#dependencies.service, token, target, this.#now());
    if (!isForTarget(granted, target)) throw new GrantFailure('exchanged_for_another_audience');
    await this.#verify(granted.token, provider, target);
    return granted;
  }

  /** One of our own services would refuse what it cannot verify: better here, where the reason is told to operators. */
  async #verify(token: string, provider: IdentityProvider, { service }: ExchangeTarget): Promise<void> {
    if (service !== undefined) await this.#dependencies.verifier.verify(token, service, { provider: provider.name });
  }

  /** A kept token is none any more once its provider withdraws the key that signed it. */
  async #isGood(token: string, provider: IdentityProvider, target: ExchangeTarget): Promise<boolean> {
    try {
      await this.#verify(token, provider, target);
      return true;
    } catch (error) {
      if (isTriadError(error) && error.kind === 'unauthenticated') return false;
      throw error;
    }
  }

  /** What is kept saves time; nothing depends on it. */
  async #whileAvailable<T>(kept: Promise<T>): Promise<T | undefined> {
    try {
      return await kept;
    } catch (error) {
      if (!isTriadError(error) || error.kind !== 'unavailable') throw error;
      this.#dependencies.log.warn(
        { code: error.code },
        'exchanged tokens cannot be kept now: the coordination server is gone',
      );
      return undefined;
    }
  }

  #report(error: unknown, target: string, user: string, holder: CredentialHolder | undefined): void {
    const { service, audit, log } = this.#dependencies;
    const code = error instanceof GrantFailure || isTriadError(error) ? error.code : 'exchange_failed';
    const detail = error instanceof GrantFailure ? error.detail : undefined;
    log.warn(
      { code, detail, target, user, ...holder, ...(code === 'exchange_failed' ? { err: error } : {}) },
      `no token of ${user} for ${target}: ${code}`,
    );
    const { provider, subject, azp } = holder ?? {};
    audit.write({ event: 'token_exchange_failed', service, user, target, provider, subject, azp, code });
  }
}

/** A token that came from the target in the first place goes back as it is (contract/enrichment.md section 1.5). */
function isForTargetAlready({ claims }: VerifiedToken, { audience }: ExchangeTarget, own: string | undefined): boolean {
  return audience !== undefined && isFor(claims, audience) && !(own !== undefined && isFor(claims, own));
}
