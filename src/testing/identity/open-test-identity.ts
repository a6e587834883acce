import { hash as bcryptHash } from '@node-rs/bcrypt';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import { AlertIdentity } from '../../identity/alert-identity.ts';
import type { AuditEvent, AuditLog } from '../../identity/audit/audit-log.ts';
import { InstallationKeys } from '../../identity/installation-tokens/installation-keys.ts';
import { InstallationTokens } from '../../identity/installation-tokens/installation-tokens.ts';
import { AlertApiKeys } from '../../identity/keys/alert-api-keys.ts';
import { hashApiKeySecret } from '../../identity/keys/api-key-records.ts';
import { OAuthAccounts } from '../../identity/oauth/oauth-accounts.ts';
import { ProviderCallers } from '../../identity/oauth/provider-callers.ts';
import { ProviderRegistry } from '../../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../../identity/oauth/token-verifier.ts';
import { hashPassword } from '../../identity/passwords/passwords.ts';
import { WebSessions } from '../../identity/sessions/web-sessions.ts';
import { UserStore } from '../../identity/user-store.ts';
import { VerifiedCredentials } from '../../identity/verified-credentials.ts';
import { presented, type TestRequest } from './presented-credentials.ts';

interface TestContext {
  after(end: () => Promise<void>): void;
}

/** For tests: identity on the embedded parts in memory, with a clock that stands still. */
export async function openTestIdentity(context: TestContext, flags: Record<string, unknown> = {}) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(async () => {
    await coordination.close();
    await datastore.close();
  });
  const clock = { now: Date.parse('2026-01-02T03:04:05Z') };
  const now = () => clock.now;
  const settings = loadConfig({ environment: {}, flags });
  const { auth } = settings;
  const engine = loadClassification(DEMO_CLASSIFICATION);
  const collection = datastore.collection(userDocument);
  const users = new UserStore({ users: collection, now });
  const lines: { readonly level: string; readonly entry: object; readonly message: string }[] = [];
  const logTo = (level: string) => (entry: object, message: string) => void lines.push({ level, entry, message });
  const log = { info: logTo('info'), warn: logTo('warn'), error: logTo('error') };
  const events: AuditEvent[] = [];
  const audit: AuditLog = { write: (event) => void events.push(event) };
  // Tokens of providers are judged by the real clock.
  const credentials = new VerifiedCredentials();
  const registry = new ProviderRegistry({ settings: auth.oauth, log });
  const verifier = new TokenVerifier({ registry, credentials, log });
  const oauthAccounts = new OAuthAccounts({ registry, users, coordination, engine, audit, log });
  const callers = new ProviderCallers({ registry, verifier, accounts: oauthAccounts, audit });
  const oauth = { verifier, accounts: oauthAccounts, callers };
  const keys = new InstallationKeys({ coordination, secret: async () => 'secret of the installation', now });
  const installationTokens = new InstallationTokens({ keys, users, log, now });
  const { session_duration: duration, session_idle: idle } = settings.web;
  const webSessions = new WebSessions({ coordination, credentials, duration, idle, now });
  const identity = new AlertIdentity({
    ...{ users, credentials, coordination, webSessions, engine, settings, oauth, installationTokens, log, audit, now },
  });
  const accounts = new UserAccounts({ users, appTokens: identity.appTokens, engine, settings: auth, audit });
  const apiKeys = new AlertApiKeys({ users, settings: auth, audit, now });
  return {
    identity,
    accounts,
    apiKeys,
    users,
    credentials,
    webSessions,
    collection,
    coordination,
    engine,
    clock,
    lines,
    events,
    log,
    audit,
    settings,
    registry,
    oauth,
    installationTokens,
  };
}

/** A key as it is stored, with this secret. */
export function storedKey(
  secret: string,
  acl: readonly string[],
  more: { agents?: string[]; expiry_date?: string } = {},
) {
  return { acl: [...acl], agents: [], password: hashApiKeySecret(secret), ...more };
}

/** Saves a user whose password is `password`. */
export async function saveUser(users: UserStore, uname: string, fields: Record<string, unknown> = {}): Promise<User> {
  const password = await hashPassword('password');
  const { document } = readDocument(
    userDocument,
    { uname, name: uname, password, classification: 'UNRESTRICTED', ...fields },
    { unknown: 'refuse', classification: loadClassification(DEMO_CLASSIFICATION) },
  );
  await users.save(document);
  return document;
}

export const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/**
 * For tests: ada, an administrator with keys of every kind, and grace, a user; both with the password
 * `password`.
 */
export async function openIdentityWithUsers(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openTestIdentity(context, flags);
  await saveUser(parts.users, 'ada', {
    type: ['admin', 'user'],
    classification: 'RESTRICTED//ADMIN//ANY',
    email: 'ada@example.org',
    apikeys: {
      devkey: storedKey('secret', ['R', 'W', 'E']),
      readonly: storedKey('secret', ['R']),
      expired: storedKey('secret', ['R'], { expiry_date: '2023-05-30T05:12:28.000000Z' }),
      later: storedKey('secret', ['R'], { expiry_date: '3000-01-01T00:00:00.000000Z' }),
      old: { ...storedKey('', ['R']), password: await bcryptHash('secret', { cost: 4 }) },
      impersonate: storedKey('secret', ['R', 'I'], { agents: ['grace'] }),
    },
  });
  await saveUser(parts.users, 'grace', { type: ['user'], apikeys: { devkey: storedKey('secret', ['R', 'W', 'E']) } });
  const authenticate = (authorization: string | undefined, more: TestRequest = {}) =>
    parts.identity.authenticate(presented({ authorization, ...more }));
  return { ...parts, authenticate };
}
