import type { Settings } from '../../../config/config-schema.ts';
import { isUnavailable } from '../../../errors/errors.ts';
import { type Actor, SERVICES } from '../../../identity/actor.ts';
import type { CallerCredential } from '../../../identity/caller-credential.ts';
import type {
  InstallationTokenRequest,
  InstallationTokens,
  TokenAudience,
} from '../../../identity/installation-tokens/installation-tokens.ts';
import type { ServiceAccount } from '../../../identity/obo/service-account.ts';
import { SAME_TOKEN, type TokenExchange } from '../../../identity/obo/token-exchange.ts';
import type { CallKind, CredentialsForSources, SourceTokens } from '../call-context.ts';
import { SourceFailure } from '../source-failure.ts';
import type { SourceSettings } from '../source-settings.ts';

export interface SourceCredentialsDependencies {
  readonly exchange: Pick<TokenExchange, 'exchange'>;
  readonly serviceAccount: Pick<ServiceAccount, 'token'>;
  readonly installationTokens: Pick<InstallationTokens, 'issue'>;
  /** The configured targets, which precede services of this installation with the same name. */
  readonly targets: Settings['enrichment']['obo_targets'];
  /** True if sources also get the token that was exchanged: `auth.propagate_clue_key`. */
  readonly propagate: boolean;
}

/** Texts of the public system, which its clients show. */
const INVALID_AT_LOOKUP = 'You must have a valid JWT to access this plugin.';
const INVALID = 'Invalid token provided for this enrichment.';

/**
 * Decides which credentials a source gets for a caller (contract/enrichment.md sections 1.5 and 1.6).
 * A source gets the token of a provider, as it is or exchanged for the target of the source, a token
 * of the installation, or nothing: never a password, an API key, an app token or a session. Safe for
 * concurrent use.
 */
export class SourceCredentials implements CredentialsForSources {
  readonly #dependencies: SourceCredentialsDependencies;

  constructor(dependencies: SourceCredentialsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws SourceFailure `refused` when the caller has no token that the source takes */
  async tokenFor(
    source: Pick<SourceSettings, 'name' | 'oboTarget' | 'identity'> & Partial<Pick<SourceSettings, 'origin'>>,
    actor: Pick<Actor, 'username' | 'privileges' | 'impersonator'>,
    credential: CallerCredential,
    kind: CallKind,
  ): Promise<SourceTokens> {
    const { oboTarget: target } = source;
    if (target !== undefined && credential.kind !== 'local') {
      const own = credential.kind === 'vouched' ? await this.#dependencies.serviceAccount.token() : credential.token;
      if (own !== null) return this.#exchanged(own, target, actor.username, kind);
      // As in the public system, sources may list what these callers cannot run.
      if (kind === 'actions' || kind === 'fetchers') return {};
      throw refused(kind);
    }
    const audience = this.#audienceOf(source);
    if (audience === undefined) {
      if (target !== undefined) throw refused(kind);
      // Sources of the program without a target need no token, and may share cached answers.
      return credential.kind === 'provider_token' && source.origin !== 'own' ? { token: credential.token } : {};
    }
    if (credential.kind === 'vouched') throw refused(kind);
    const rights = kind === 'run_action' ? 'own' : 'read';
    return { token: await this.#issued({ actor, audience, party: 'enrichment', rights }, kind) };
  }

  /** Returns the recipient of tokens of the installation, if the source takes them. */
  #audienceOf({ name, oboTarget, identity }: Parameters<SourceCredentials['tokenFor']>[0]): TokenAudience | undefined {
    const isConfigured = oboTarget !== undefined && Object.hasOwn(this.#dependencies.targets, oboTarget);
    const service = isConfigured ? undefined : SERVICES.find((one) => one === oboTarget);
    if (service !== undefined) return { service };
    return identity === 'installation' ? { source: name } : undefined;
  }

  async #issued(request: InstallationTokenRequest, kind: CallKind): Promise<string> {
    try {
      return await this.#dependencies.installationTokens.issue(request);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw refused(kind, error);
    }
  }

  async #exchanged(own: string, target: string, username: string, kind: CallKind): Promise<SourceTokens> {
    const { exchange, propagate } = this.#dependencies;
    const token = await exchange.exchange(own, target, username);
    if (token === null) throw refused(kind);
    // A token that was for the target already is no result of an exchange, so it is sent alone.
    const isExchanged = token !== own || target === SAME_TOKEN;
    return isExchanged && propagate ? { token, originalToken: own } : { token };
  }
}

function refused(kind: CallKind, cause?: unknown): SourceFailure {
  return new SourceFailure('refused', kind === 'lookup' ? INVALID_AT_LOOKUP : INVALID, { cause });
}
