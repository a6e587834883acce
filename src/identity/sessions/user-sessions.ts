import type { ListenerName } from '../actor.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import type { ListedSession, SessionSource } from './listed-session.ts';
import type { WebSession, WebSessions } from './web-sessions.ts';

export interface UserSessionsDependencies {
  /** By the service that opened the sessions. */
  readonly sources: Readonly<Partial<Record<ListenerName, SessionSource>>>;
  readonly appTokens: { revokeAll(username: string): Promise<void> };
  readonly audit: AuditLog;
}

/** Lists and ends the sessions of users at all services, for administrators. */
export class UserSessions {
  readonly #dependencies: UserSessionsDependencies;

  constructor(dependencies: UserSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the sessions of a user, the newest first. @throws Unavailable */
  async list(username: string): Promise<readonly ListedSession[]> {
    const sources = Object.values(this.#dependencies.sources);
    const found = await Promise.all(sources.map((source) => source.list(username)));
    return found.flat().sort((left, right) => (right.openedAt ?? 0) - (left.openedAt ?? 0));
  }

  /** Ends one session. Returns whether there was one. @throws Unavailable */
  async end(username: string, service: string, id: string, origin: AuditOrigin): Promise<boolean> {
    const { sources, audit } = this.#dependencies;
    const known = Object.entries(sources).find(([name]) => name === service);
    if (known === undefined || !(await known[1].endOf(username, id))) return false;
    audit.write({ ...origin, event: 'sessions_ended', user: username, target: service });
    return true;
  }

  /** Ends all sessions of a user. @throws Unavailable `sessions_not_ended` */
  async endAll(username: string, origin: AuditOrigin): Promise<void> {
    await this.#dependencies.appTokens.revokeAll(username);
    this.#dependencies.audit.write({ ...origin, event: 'sessions_ended', user: username });
  }
}

export interface WebSessionSourceDependencies {
  /** Lists valid sessions; those of a revoked key are not. */
  readonly lists: { list(username: string): Promise<readonly WebSession[]> };
  readonly sessions: Pick<WebSessions, 'endOf'>;
}

/** Returns the source of the sessions of browsers. */
export function webSessionSource({ lists, sessions }: WebSessionSourceDependencies): SessionSource {
  return {
    list: async (username) => {
      const found = await lists.list(username);
      return found.map(({ openedWith: openedBy, ...session }) => ({ ...session, service: 'web', openedBy }));
    },
    endOf: (username, id) => sessions.endOf(username, id),
  };
}
