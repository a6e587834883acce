import { UpstreamFailed } from '../../errors/errors.ts';
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
  readonly issuer?: EnrichmentTokenIssuer | undefined;
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
   * @throws UpstreamFailed `enrichment_token_missing`
   */
  async tokenFor(actor: Actor, authorization: string | undefined): Promise<string> {
    const { exchange, issuer } = this.#dependencies;
    const own = actor.method === 'oauth' ? readJsonWebToken(authorization) : undefined;
    const exchanged = own === undefined ? null : await exchange.exchange(own, 'enrichment', actor.username);
    if (exchanged !== null) return exchanged;
    if (issuer === undefined) {
      const message = 'The identity provider of the caller issues no token for the enrichment service.';
      throw new UpstreamFailed('enrichment_token_missing', message);
    }
    return issuer.issue(actor);
  }
}
