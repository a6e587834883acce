import type { ServiceName } from '../../identity/actor.ts';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { OAuthAccounts } from '../../identity/oauth/oauth-accounts.ts';
import { ProviderCallers } from '../../identity/oauth/provider-callers.ts';
import { BearerCallers } from '../../identity/obo/bearer-callers.ts';
import { OwnTokens } from '../../identity/obo/own-tokens.ts';
import { TokenExchange, type TokenExchangeDependencies } from '../../identity/obo/token-exchange.ts';
import { VerifiedCredentials } from '../../identity/verified-credentials.ts';
import type { TestIdentityProvider } from './identity-provider.ts';
import { openTestIdentity } from './open-test-identity.ts';
import { openTokenVerifier } from './open-token-verifier.ts';

/** Opens the dependencies of on-behalf-of calls in memory, with users and a provider named `local`. */
export async function openOboIdentity(
  context: { after(end: () => Promise<void>): void },
  provider: Pick<TestIdentityProvider, 'settings'>,
  more: { readonly settings?: Record<string, unknown>; readonly flags?: Record<string, unknown> } = {},
) {
  const opened = await openTestIdentity(context);
  const { users, coordination, engine, collection, clock: userClock, installationTokens } = opened;
  const settings = provider.settings(more.settings);
  const { registry, verifier, clock, lines, log, now } = openTokenVerifier({ local: settings }, more.flags);
  const events: AuditEvent[] = [];
  const audit = { write: (event: AuditEvent) => void events.push(event) };
  const accounts = new OAuthAccounts({ registry, users, coordination, engine, audit, log });
  const providerCallers = new ProviderCallers({ registry, verifier, accounts, audit });
  const ownTokens = new OwnTokens({
    users,
    credentials: new VerifiedCredentials(),
    secret: () => Promise.resolve('secret of the analysis service'),
  });
  const bearerCallers = new BearerCallers({
    ...{ registry, providerCallers, ownTokens, installationTokens, engine, log },
  });
  const exchangeOf = (service: ServiceName, parts: Partial<TokenExchangeDependencies> = {}) =>
    new TokenExchange({
      ...{ service, registry, verifier, tokens: coordination.tokens, targets: {}, audit, log, now },
      ...parts,
    });
  return {
    ...{
      users,
      collection,
      coordination,
      webSessions: opened.webSessions,
      engine,
      userClock,
      registry,
      verifier,
      clock,
      lines,
      log,
      now,
      events,
    },
    ...{ audit, accounts, ownTokens, installationTokens, bearerCallers, exchangeOf },
  };
}
