import type { Actor } from '../../identity/actor.ts';
import { readJsonWebToken } from '../../identity/credential-rows.ts';
import type { TokenExchange } from '../../identity/obo/token-exchange.ts';

/** Issues tokens of the installation for the enrichment service. */
export interface EnrichmentTokenIssuer {
  /** Returns a token with the privileges of the actor's own credential. */
  issue(actor: Actor): Promise<string>;
}

export interface ProxyTokensDependencies {
  readonly exchange: Pick<TokenExchange, 'exchange'>;
  readonly issuer: EnrichmentTokenIssuer;
}

/** Provides the token that the enrichment service gets for a caller of the alert service. */
export class ProxyTokens {
  readonly #dependencies: ProxyTokensDependencies;

  constructor(dependencies: ProxyTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Exchanges the token of a provider.
   * Callers without one, and those whose provider exchanges none, get a token of the installation, which only the
   * enrichment service of this installation accepts.
   * @throws Unavailable `installation_keys_unavailable`
   */
  async tokenFor(actor: Actor, authorization: string | undefined): Promise<string> {
    const { exchange, issuer } = this.#dependencies;
    const own = actor.method === 'oauth' ? readJsonWebToken(authorization) : undefined;
    const exchanged = own === undefined ? null : await exchange.exchange(own, 'enrichment', actor.username);
    return exchanged ?? issuer.issue(actor);
  }
}
