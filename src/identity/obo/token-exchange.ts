import type { Coordination } from '../../coordination/coordination.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { type AuditLog, type CredentialHolder, holderOf } from '../audit/audit-log.ts';
import type { IdentityLog } from '../identity-log.ts';
import { RecentFailures } from '../limits/recent-failures.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import type { ProviderRegistry } from '../oauth/provider-registry.ts';
import type { TokenVerifier } from '../oauth/token-verifier.ts';
import { authorisedParty, holderOfToken, isFor, type VerifiedToken } from '../oauth/verified-token.ts';
import {
  type ConfiguredTargets,
  type ExchangeTarget,
  exchangeGrant,
  exchangeTarget,
  type GrantedToken,
  GrantFailure,
  grantedToken,
  isForTarget,
} from './exchange-grant.ts';
import { KeptTokens, type TokenPlace } from './kept-tokens.ts';

/** Exchanges a token in an extension first, null: not its target (contract/enrichment.md section 1.5). */
export type TokenExchanger = (target: string, token: string, user: string) => Promise<string | null>;

export interface TokenExchangeDependencies {
  /** The exchanging service, with its own client at each provider. */
  readonly service: ServiceName;
  readonly registry: ProviderRegistry;
  readonly verifier: TokenVerifier;
  /** Targets other than the services of the installation, by name. */
  readonly targets: ConfiguredTargets;
  /** In the order in which they are asked. Default: none. */
  readonly exchangers?: readonly TokenExchanger[];
  readonly tokens: Pick<Coordination['tokens'], 'put' | 'get' | 'removeWithPrefix'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Target for tests, which gets the token of the user unchanged (contract/enrichment.md section 1.5). */
export const SAME_TOKEN = 'test-obo';
/** Milliseconds after a failure before the same exchange is tried again. */
const FAILURE_PAUSE = 3000;
const MAX_FAILURES = 1000;

/**
 * Exchanges tokens of users for on-behalf-of tokens of another service, which all processes use until
 * shortly before they expire. Safe for concurrent use: equal exchanges are made once at a time.
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
    this.#kept = new KeptTokens(dependencies.tokens, this.#now);
  }

  /** Returns whether there is such a target: a configured one, or a service of this installation. */
  has(target: string): boolean {
    const { registry, targets } = this.#dependencies;
    return Object.hasOwn(targets, target) || registry.all().some((provider) => exchangeTarget(target, {}, provider));
  }

  /** Returns a token of `user` for a target; null, with the reason in both logs, when not permitted. */
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

  /** Stops using the exchanged tokens of a user, except while coordination is unavailable. */
  async forget(user: string): Promise<void> {
    await this.#whileAvailable(this.#kept.forget(user));
  }

  async #exchanged(verified: VerifiedToken, name: string, user: string): Promise<string | null> {
    const { registry, service, targets } = this.#dependencies;
    const provider = registry.find(verified.provider);
    if (!provider) throw new GrantFailure('provider_unknown');
    const target = exchangeTarget(name, targets, provider);
    if (!target) throw new GrantFailure('exchange_target_unknown');
    const { audience, clientSecret: secret } = provider.client(service);
    if (isForTargetAlready(verified, target, audience)) return verified.token;
    // The enrichment service also accepts tokens of other audiences, but exchanges those for itself alone.
    const isForeign = service === 'enrichment' && audience !== undefined && !isFor(verified.claims, audience);
    if (isForeign) throw new GrantFailure('exchange_token_for_another_audience');
    if (name === SAME_TOKEN) return verified.token;
    const place = { user, target: name, holder: [service, verified.provider, String(verified.claims.sub)], secret };
    const key = JSON.stringify([place.user, place.target, place.holder]);
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const failure = this.#failures.get(key);
    if (failure) throw failure.error;
    const exchanging = this.#findOrExchange(provider, verified, target, place)
      .catch((error: unknown) => {
        this.#failures.add(key, { error });
        throw error;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, exchanging);
    return exchanging;
  }

  async #findOrExchange(
    provider: IdentityProvider,
    verified: VerifiedToken,
    target: ExchangeTarget,
    place: TokenPlace,
  ): Promise<string> {
    const { service, audit, log } = this.#dependencies;
    const found = await this.#whileAvailable(this.#kept.find(place));
    if (found?.token !== undefined && (await this.#isGood(found.token, provider, target))) return found.token;
    const granted =
      (await this.#askExchangers(verified.token, target, place.user)) ??
      (await this.#askProvider(provider, verified.token, target));
    if (found !== undefined) {
      await this.#whileAvailable(this.#kept.keep(place, granted.token, granted.expires, found.generation));
    }
    const exchanged = { user: place.user, target: target.name, provider: provider.name };
    const azp = (granted.claims && authorisedParty(granted.claims)) ?? provider.client(service).clientId;
    audit.write({ event: 'token_exchanged', service, ...exchanged, azp });
    log.info(exchanged, 'a token was exchanged');
    return granted.token;
  }

  async #askExchangers(token: string, target: ExchangeTarget, user: string): Promise<GrantedToken | undefined> {
    const { exchangers = [], log } = this.#dependencies;
    for (const exchanger of exchangers) {
      try {
        const exchanged = await exchanger(target.name, token, user);
        if (exchanged) return grantedToken(exchanged, this.#now());
      } catch (error) {
        log.warn(
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

  /** Verifies a token for a service of this installation, so that operators learn why it is refused. */
  async #verify(token: string, provider: IdentityProvider, { service }: ExchangeTarget): Promise<void> {
    if (service !== undefined) await this.#dependencies.verifier.verify(token, service, provider.name);
  }

  /** Returns whether a kept token is valid: its provider may have withdrawn the key that signed it. */
  async #isGood(token: string, provider: IdentityProvider, target: ExchangeTarget): Promise<boolean> {
    try {
      await this.#verify(token, provider, target);
      return true;
    } catch (error) {
      if (isTriadError(error) && error.kind === 'unauthenticated') return false;
      throw error;
    }
  }

  /** Continues without kept tokens, which only save time. */
  #whileAvailable<T>(kept: Promise<T>): Promise<T | undefined> {
    return unlessUnavailable(kept, undefined, ({ code }) =>
      this.#dependencies.log.warn({ code }, 'exchanged tokens cannot be kept now: the coordination server is gone'),
    );
  }

  #report(error: unknown, target: string, user: string, holder: CredentialHolder | undefined): void {
    const { service, audit, log } = this.#dependencies;
    const code = error instanceof GrantFailure || isTriadError(error) ? error.code : 'exchange_failed';
    const detail = error instanceof GrantFailure ? error.detail : undefined;
    const fault = code === 'exchange_failed' ? { err: error } : {};
    log.warn({ code, detail, target, user, ...holder, ...fault }, `no token of ${user} for ${target}: ${code}`);
    const { provider, subject, azp } = holder ?? {};
    audit.write({ event: 'token_exchange_failed', service, user, target, provider, subject, azp, code });
  }
}

/** Returns whether a token is for the target already (contract/enrichment.md section 1.5). */
function isForTargetAlready({ claims }: VerifiedToken, { audience }: ExchangeTarget, own: string | undefined): boolean {
  return audience !== undefined && isFor(claims, audience) && !(own !== undefined && isFor(claims, own));
}
