import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { AlertIdentity } from '../identity/alert-identity.ts';
import { AnalysisIdentity } from '../identity/analysis-identity.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import { EnrichmentIdentity } from '../identity/enrichment-identity.ts';
import type { IdentityLog } from '../identity/identity-log.ts';
import { CodeLogin } from '../identity/oauth/code-login.ts';
import { OAuthAccounts } from '../identity/oauth/oauth-accounts.ts';
import { ProviderCallers } from '../identity/oauth/provider-callers.ts';
import { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../identity/oauth/token-verifier.ts';
import { BearerCallers } from '../identity/obo/bearer-callers.ts';
import { OwnTokens } from '../identity/obo/own-tokens.ts';
import { ServiceAccount } from '../identity/obo/service-account.ts';
import { TokenExchange } from '../identity/obo/token-exchange.ts';
import { installationSecret } from '../identity/sessions/installation-secret.ts';
import type { UserStore } from '../identity/user-store.ts';
import { VerifiedCredentials } from '../identity/verified-credentials.ts';
import { trustAuthoritiesFor } from './certificates.ts';

export interface IdentityContextOptions {
  readonly config: Config;
  readonly users: UserStore;
  readonly coordination: Coordination;
  readonly classification: ClassificationEngine;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

/**
 * Everything that says who is calling, at each of the three services, over the same users and the same
 * identity providers.
 */
export interface IdentityContext {
  readonly registry: ProviderRegistry;
  readonly verifier: TokenVerifier;
  readonly oauthAccounts: OAuthAccounts;
  /** Logins through the page of a provider. */
  readonly codeLogin: CodeLogin;
  readonly ownTokens: OwnTokens;
  /** Identity of the alert service. */
  readonly identity: AlertIdentity;
  readonly analysisIdentity: AnalysisIdentity;
  readonly enrichmentIdentity: EnrichmentIdentity;
  /** Exchanges tokens that came to the alert service. */
  readonly alertsExchange: TokenExchange;
  /** Exchanges tokens that came to the enrichment service. */
  readonly enrichmentExchange: TokenExchange;
  /** For callers of the enrichment service who have no token of their own. */
  readonly serviceAccount: ServiceAccount;
}

/**
 * @throws InvalidInput `invalid_setting` when the settings of a provider or of a service account make
 * no sense
 */
export function openIdentity(dependencies: IdentityContextOptions): IdentityContext {
  const { config, users, coordination, classification: engine, audit, log } = dependencies;
  const registry = new ProviderRegistry({ settings: config.auth.oauth, log });
  const credentials = new VerifiedCredentials();
  trustAuthoritiesFor(registry.addresses(), config.cert_directory);
  const verifier = new TokenVerifier({ registry, credentials, log });
  const oauthAccounts = new OAuthAccounts({ registry, users, coordination, engine, audit, log });
  const providerCallers = new ProviderCallers({ registry, verifier, accounts: oauthAccounts, audit });
  const secret = installationSecret({ coordination, configured: config.analysis.ui.secret_key ?? undefined });
  const ownTokens = new OwnTokens({ users, credentials, secret });
  const bearerCallers = new BearerCallers({ registry, providerCallers, ownTokens, engine, log });
  const exchange = {
    registry,
    verifier,
    targets: config.enrichment.obo_targets,
    tokens: coordination.tokens,
    audit,
    log,
  };
  return {
    registry,
    verifier,
    oauthAccounts,
    codeLogin: new CodeLogin({
      registry,
      verifier,
      accounts: oauthAccounts,
      callers: providerCallers,
      coordination,
      audit,
      log,
    }),
    ownTokens,
    identity: new AlertIdentity({
      users,
      credentials,
      coordination,
      engine,
      settings: config,
      oauth: { verifier, callers: providerCallers },
      log,
      audit,
    }),
    analysisIdentity: new AnalysisIdentity({
      users,
      credentials,
      coordination,
      engine,
      settings: config,
      bearerCallers,
      audit,
      log,
    }),
    enrichmentIdentity: new EnrichmentIdentity({
      providerCallers,
      credentials,
      coordination,
      engine,
      settings: config,
      audit,
      log,
    }),
    alertsExchange: new TokenExchange({ ...exchange, service: 'alerts' }),
    enrichmentExchange: new TokenExchange({ ...exchange, service: 'enrichment' }),
    serviceAccount: new ServiceAccount({ settings: config.auth.service_account, registry, service: 'enrichment', log }),
  };
}
