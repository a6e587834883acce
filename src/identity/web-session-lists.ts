import { NotFound } from '../errors/errors.ts';
import type { AuditLog, AuditOrigin } from './audit/audit-log.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import type { WebSession, WebSessions } from './sessions/web-sessions.ts';
import type { UserStore } from './user-store.ts';

export interface WebSessionListsDependencies {
  readonly sessions: Pick<WebSessions, 'list' | 'endOf'>;
  readonly users: Pick<UserStore, 'recent'>;
  readonly audit: AuditLog;
}

/** Lists and ends the sessions of users at the web interface, for themselves. */
export class WebSessionLists {
  readonly #dependencies: WebSessionListsDependencies;

  constructor(dependencies: WebSessionListsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the valid sessions of a user, the one used last first; throws `sessions_unavailable`. */
  async list(username: string): Promise<readonly WebSession[]> {
    const { sessions, users } = this.#dependencies;
    const user = await users.recent(username);
    if (user === undefined) return [];
    const listed = await sessions.list(username);
    return listed.filter(({ keyName, credentialFingerprint: mark }) => mark === credentialFingerprint(user, keyName));
  }

  /** Ends a session. @throws NotFound `session_missing`; Unavailable `sessions_unavailable` */
  async end(username: string, id: string, origin: AuditOrigin): Promise<void> {
    if (!(await this.#dependencies.sessions.endOf(username, id))) {
      throw new NotFound('session_missing', `There is no session "${id}" of ${username}. It may have ended already.`);
    }
    this.#report(username, origin);
  }

  /** Ends all sessions of a user but `kept`; returns their number. @throws `sessions_unavailable` */
  async endAll(username: string, origin: AuditOrigin, kept?: string): Promise<number> {
    const { sessions } = this.#dependencies;
    const ending = (await sessions.list(username)).filter(({ id }) => id !== kept);
    const ended = await Promise.all(ending.map(({ id }) => sessions.endOf(username, id)));
    const count = ended.filter(Boolean).length;
    if (count > 0) this.#report(username, origin);
    return count;
  }

  #report(user: string, origin: AuditOrigin): void {
    this.#dependencies.audit.write({ ...origin, event: 'sessions_ended', user, target: 'web' });
  }
}
