import { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import type { AnalysisLoginRequest } from '../../identity/analysis-logins.ts';
import { AnalysisApiKeys } from '../../identity/keys/analysis-api-keys.ts';
import { BearerCallers } from '../../identity/obo/bearer-callers.ts';
import { OwnTokens } from '../../identity/obo/own-tokens.ts';
import { openIdentityWithUsers } from './open-test-identity.ts';
import { presented, type TestRequest } from './presented-credentials.ts';

/** The default caller in tests. */
const CALLER = { address: '192.0.2.1', userAgent: 'browser', requestId: 'r1', call: 'GET /api/' } as const;

/**
 * For tests: the users of `openIdentityWithUsers` at the analysis service, with a clock that stands
 * still.
 */
export async function openAnalysisIdentity(
  context: { after(end: () => Promise<void>): void },
  flags: Record<string, unknown> = {},
) {
  const parts = await openIdentityWithUsers(context, flags);
  const { users, credentials, coordination, webSessions, engine, settings, registry, oauth, audit, log, clock } = parts;
  const { installationTokens } = parts;
  const now = () => clock.now;
  const ownTokens = new OwnTokens({
    users,
    credentials,
    secret: () => Promise.resolve('secret of the analysis service'),
  });
  const bearerCallers = new BearerCallers({
    ...{ registry, providerCallers: oauth.callers, ownTokens, installationTokens, engine, log },
  });
  const identityParts = {
    ...{ users, credentials, coordination, webSessions, engine, settings, bearerCallers, audit, log, now },
  };
  const identity = new AnalysisIdentity(identityParts);
  const analysisKeys = new AnalysisApiKeys({ users, settings: settings.auth, audit, now });
  const authenticate = (request: TestRequest) => identity.authenticate(presented({ ...CALLER, ...request }));
  const login = (request: Partial<AnalysisLoginRequest>) => identity.login({ ...CALLER, ...request });
  return { ...parts, identityParts, analysisIdentity: identity, analysisKeys, authenticate, login };
}
