import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { ListenerName } from './actor.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { IdentityLog } from './identity-log.ts';
import { KeyLogin } from './keys/key-login.ts';
import { keyUses } from './keys/key-uses.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { PasswordLogin } from './passwords/password-login.ts';
import { OneTimePasswords } from './second-factors/one-time-passwords.ts';
import { PersonLogin } from './second-factors/person-login.ts';
import { configuredRelyingParty } from './second-factors/relying-party.ts';
import { SecondFactorAccounts } from './second-factors/second-factor-accounts.ts';
import { SecondFactors } from './second-factors/second-factors.ts';
import { SecurityKeyChallenges } from './second-factors/security-key-challenges.ts';
import { SecurityKeyLogin } from './second-factors/security-key-login.ts';
import { SecurityKeyRegistration } from './second-factors/security-key-registration.ts';
import type { WebSessions } from './sessions/web-sessions.ts';
import type { UserStore } from './user-store.ts';
import type { VerifiedCredentials } from './verified-credentials.ts';

/** The dependencies that identity has at every service. */
export interface IdentityDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  /** Sessions of the web interface, which count at every service. */
  readonly webSessions: Pick<WebSessions, 'find'>;
  readonly engine: ClassificationEngine;
  readonly settings: Pick<Settings, 'auth' | 'analysis' | 'enrichment' | 'http' | 'web'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Returns milliseconds; for tests. */
  readonly now?: () => number;
}

/** Creates the verifiers of a service, which share their limits. */
export function loginVerifiers(service: ListenerName, dependencies: IdentityDependencies) {
  const { users, credentials, coordination, settings, audit, log, now = Date.now } = dependencies;
  const { counters } = coordination;
  const throttle = new LoginThrottle({ counters, settings: settings.auth.internal, audit, service });
  const shared = { users, credentials, throttle, settings, now };
  const passwords = new PasswordLogin(shared);
  const keys = new KeyLogin({ ...shared, passwords, noteUse: keyUses({ users, log, now }) });
  const challenges = new SecurityKeyChallenges(coordination);
  const oneTimePasswords = new OneTimePasswords({ users, coordination, now });
  const keyParts = { users, challenges, party: configuredRelyingParty(settings), now };
  const secondFactors = new SecondFactors({
    ...{ users, challenges, oneTimePasswords, securityKeys: new SecurityKeyLogin(keyParts), throttle, audit, service },
    settings: settings.analysis.auth,
  });
  const registration = new SecurityKeyRegistration(keyParts);
  const factorAccounts = new SecondFactorAccounts({ users, oneTimePasswords, registration, throttle, audit });
  const people = new PersonLogin({ passwords, secondFactors });
  return { now, throttle, passwords, keys, people, secondFactors, factorAccounts };
}
