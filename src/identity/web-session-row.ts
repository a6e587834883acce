import { PASSWORD_PRIVILEGES } from './actor.ts';
import { type Caller, type CredentialRow, credentialRow } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import { sessionEnded, type WebSession, type WebSessions } from './sessions/web-sessions.ts';
import type { RecentUser, UserStore } from './user-store.ts';

export interface WebSessionRowDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly webSessions: Pick<WebSessions, 'find'>;
  /** Returns the holder of a session that an API key opened, by the rules of the service. */
  readonly keys: { bySession(user: RecentUser, keyName: string): Caller | undefined };
}

/**
 * Returns the row of the sessions of the web interface, whose cookie the web listener hands over in
 * this process. It stands before the others: what a caller writes into headers does not count beside it.
 */
export function webSessionRow(dependencies: WebSessionRowDependencies): CredentialRow {
  return credentialRow<string>({
    read: ({ webSession }) => webSession,
    claim: () => ({ method: 'session' }),
    verify: async (cookie) => {
      const found = await findWebCaller(dependencies, cookie);
      if (found === undefined) throw sessionEnded();
      return found.caller;
    },
  });
}

/** Returns the session of a cookie and its holder, who may be disabled; throws `sessions_unavailable`. */
export async function findWebCaller({ users, webSessions, keys }: WebSessionRowDependencies, cookie: string) {
  const session = await webSessions.find(cookie);
  if (session === undefined) return undefined;
  const user = await users.recent(session.username);
  const caller = user && callerOf(user, session, keys);
  return caller && { session, caller };
}

/** Returns undefined when the credential that opened the session is not valid any more. */
function callerOf(
  user: RecentUser,
  { isEnded, keyName, provider, credentialFingerprint: fingerprint }: WebSession,
  keys: WebSessionRowDependencies['keys'],
): Caller | undefined {
  // Disabled users are told so.
  if (isEnded && user.is_active) return undefined;
  if (fingerprint !== credentialFingerprint(user, keyName)) return undefined;
  if (keyName !== undefined) return keys.bySession(user, keyName);
  return { user, method: 'session', privileges: PASSWORD_PRIVILEGES, provider };
}
