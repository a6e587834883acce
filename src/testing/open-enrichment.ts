import { loadConfig } from '../config/config.ts';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import { createEnrichmentServer } from '../enrichment/enrichment-server.ts';
import { portChecks } from '../http/operation-routes.ts';
import { EnrichmentIdentity } from '../identity/enrichment-identity.ts';
import { CodeLogin } from '../identity/oauth/code-login.ts';
import { OAuthAccounts } from '../identity/oauth/oauth-accounts.ts';
import { ProviderCallers } from '../identity/oauth/provider-callers.ts';
import { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../identity/oauth/token-verifier.ts';
import { ServiceAccount } from '../identity/obo/service-account.ts';
import { TokenExchange } from '../identity/obo/token-exchange.ts';
import { VerifiedCredentials } from '../identity/verified-credentials.ts';
import { openTestIdentity } from './identity/open-test-identity.ts';

interface TestContext {
  after(end: () => Promise<void>): void;
}

/**
 * For tests: the enrichment service on the embedded parts in memory, with the key `robot`, secret
 * `robot-secret`.
 */
export async function openEnrichment(context: TestContext, flags: Readonly<Record<string, unknown>> = {}) {
  const parts = await openTestIdentity(context);
  const { users, coordination, engine: classification, lines, events } = parts;
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'other' });
  context.after(() => datastore.close());
  const settings = loadConfig({
    environment: { SVC_CONF_FOLDER: import.meta.dirname },
    flags: { 'enrichment.api_keys': { robot: 'robot-secret' }, 'enrichment.own_sources': '', ...flags },
  });
  const logTo = (level: string) => (entry: object, message: string) => void lines.push({ level, entry, message });
  const log = { info: logTo('info'), warn: logTo('warn'), error: logTo('error') };
  const audit = { write: (event: (typeof events)[number]) => void events.push(event) };
  const providerClock = { ahead: 0 };
  const now = () => Date.now() + providerClock.ahead;
  const registry = new ProviderRegistry({ settings: settings.auth.oauth, log, now });
  const verifier = new TokenVerifier({ registry, credentials: new VerifiedCredentials(), log });
  const accounts = new OAuthAccounts({ registry, users, coordination, engine: classification, audit, log });
  const providerCallers = new ProviderCallers({ registry, verifier, accounts, audit });
  const enrichmentIdentity = new EnrichmentIdentity({
    users,
    providerCallers,
    installationTokens: parts.installationTokens,
    credentials: new VerifiedCredentials(),
    coordination,
    webSessions: parts.webSessions,
    engine: classification,
    settings,
    audit,
    log,
  });
  const server = createEnrichmentServer({
    version: '0.0.0-test',
    settings,
    log,
    coordination,
    addressOf: () => undefined,
    checks: portChecks({ datastore, coordination }),
    auditLog: audit,
    classification,
    enrichmentIdentity,
    installationTokens: parts.installationTokens,
    enrichmentExchange: new TokenExchange({
      ...{ service: 'enrichment', registry, verifier, audit, log },
      targets: settings.enrichment.obo_targets,
      tokens: coordination.tokens,
    }),
    serviceAccount: new ServiceAccount({
      ...{ settings: settings.auth.service_account, registry, log },
      service: 'enrichment',
    }),
    registry,
    codeLogin: new CodeLogin({ registry, verifier, accounts, callers: providerCallers, coordination, audit, log }),
  });
  context.after(() => server.app.close());
  return { ...parts, settings, registry, providerClock, server, enrichmentIdentity, app: server.app };
}
