import type { ListenerName } from '../actor.ts';

/** A session of a user, without its secret; times are milliseconds since 1970. */
export interface ListedSession {
  /** The service that opened it; sessions of `web` are valid at all of them. */
  readonly service: ListenerName;
  /** Digest or name of the session, from which its secret does not follow. */
  readonly id: string;
  /** Kind of the credential that opened it. */
  readonly openedBy: string;
  readonly keyName?: string | undefined;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly openedAt?: number | undefined;
  readonly usedAt?: number | undefined;
  readonly expiresAt: number;
}

/** Sessions of one kind. */
export interface SessionSource {
  /** @throws Unavailable */
  list(username: string): Promise<readonly ListedSession[]>;
  /** Ends a session of `list`. Returns whether the user had it. @throws Unavailable */
  endOf(username: string, id: string): Promise<boolean>;
}
