import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { AlertIdentity } from '../identity/alert-identity.ts';
import { AnalysisIdentity } from '../identity/analysis-identity.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import { EnrichmentIdentity } from '../identity/enrichment-identity.ts';
import type { IdentityLog } from '../identity/identity-log.ts';
import { InstallationKeys } from '../identity/installation-tokens/installation-keys.ts';
import { InstallationTokens } from '../identity/installation-tokens/installation-tokens.ts';
import { CodeLogin } from '../identity/oauth/code-login.ts';
import { OAuthAccounts } from '../identity/oauth/oauth-accounts.ts';
import { ProviderCallers } from '../identity/oauth/provider-callers.ts';
import { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../identity/oauth/token-verifier.ts';
import { BearerCallers } from '../identity/obo/bearer-callers.ts';
import { OwnTokens } from '../identity/obo/own-tokens.ts';
import { ServiceAccount } from '../identity/obo/service-account.ts';
import { TokenExchange, type TokenExchanger } from '../identity/obo/token-exchange.ts';
import { installationSecret } from '../identity/sessions/installation-secret.ts';
import { WebSessions } from '../identity/sessions/web-sessions.ts';
import type { UserStore } from '../identity/user-store.ts';
import { VerifiedCredentials } from '../identity/verified-credentials.ts';
import { WebIdentity } from '../identity/web-identity.ts';
import { WebSessionLists } from '../identity/web-session-lists.ts';
import { trustAuthoritiesFor } from './certificates.ts';

interface IdentityContextOptions {
  readonly config: Config;
  readonly users: UserStore;
  readonly coordination: Coordination;
  readonly classification: ClassificationEngine;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Exchange tokens for the enrichment service, in their order. Default: none. */
  readonly exchangers?: readonly TokenExchanger[];
}

/** Opens identity. @throws InvalidInput `invalid_setting` when the settings of a provider are not valid */
export function openIdentity(dependencies: IdentityContextOptions) {
  const { config, users, coordination, classification: engine, audit, log, exchangers = [] } = dependencies;
  const registry = new ProviderRegistry({ settings: config.auth.oauth, log });
  const credentials = new VerifiedCredentials();
  trustAuthoritiesFor(registry.addresses(), config.cert_directory);
  const verifier = new TokenVerifier({ registry, credentials, log });
  const oauthAccounts = new OAuthAccounts({ registry, users, coordination, engine, audit, log });
  const callers = new ProviderCallers({ registry, verifier, accounts: oauthAccounts, audit });
  const secret = installationSecret({ coordination, configured: config.analysis.ui.secret_key ?? undefined });
  const ownTokens = new OwnTokens({ users, credentials, secret });
  const keys = new InstallationKeys({ coordination, secret });
  const installationTokens = new InstallationTokens({ keys, users, log });
  const tokenKinds = { ownTokens, installationTokens };
  const bearerCallers = new BearerCallers({ registry, providerCallers: callers, ...tokenKinds, engine, log });
  const { session_duration: duration, session_idle: idle } = config.web;
  const webSessions = new WebSessions({ coordination, credentials, duration, idle, now: Date.now });
  const ground = { users, credentials, coordination, webSessions, engine, settings: config, audit, log };
  const shared = { ...ground, installationTokens };
  const { obo_targets: targets } = config.enrichment;
  const exchange = { registry, verifier, targets, tokens: coordination.tokens, audit, log };
  return {
    registry,
    verifier,
    oauthAccounts,
    codeLogin: new CodeLogin({ registry, verifier, accounts: oauthAccounts, callers, coordination, audit, log }),
    ownTokens,
    installationTokens,
    identity: new AlertIdentity({ ...shared, oauth: { verifier, callers } }),
    analysisIdentity: new AnalysisIdentity({ ...shared, bearerCallers }),
    enrichmentIdentity: new EnrichmentIdentity({ ...shared, providerCallers: callers }),
    alertsExchange: new TokenExchange({ ...exchange, service: 'alerts' }),
    enrichmentExchange: new TokenExchange({ ...exchange, service: 'enrichment', exchangers }),
    webIdentity: new WebIdentity(ground),
    webSessionLists: new WebSessionLists({ sessions: webSessions, users, audit }),
    serviceAccount: new ServiceAccount({ settings: config.auth.service_account, registry, service: 'enrichment', log }),
  };
}

/** Identity at each of the services, over the same users and providers. */
export type IdentityContext = ReturnType<typeof openIdentity>;
