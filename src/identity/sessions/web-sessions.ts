import { hash, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unavailable } from '../../errors/errors.ts';
import type { CredentialsOfKind, VerifiedCredentials } from '../verified-credentials.ts';
import { sessionGeneration } from './app-tokens.ts';

/** The credential that opened a web session, and its browser. */
export interface WebSessionOpening {
  readonly username: string;
  readonly openedWith: 'password' | 'api_key' | 'provider';
  /** The API key that opened it; without that key the session is void. */
  readonly keyName?: string | undefined;
  /** Name of the identity provider that opened it. */
  readonly provider?: string | undefined;
  /** Result of `credentialFingerprint` at the login; with another one the session is void. */
  readonly credentialFingerprint: string;
  readonly address: string;
  /** Its beginning. */
  readonly userAgent: string;
}

/** A session that was found; times are milliseconds since 1970. */
export interface WebSession extends WebSessionOpening {
  /** Names the session in lists. Not secret. */
  readonly id: string;
  readonly openedAt: number;
  readonly usedAt: number;
  /** Its end, however much it is used. */
  readonly expiresAt: number;
  /** Its end unless it is used before. */
  readonly idleUntil: number;
  /** All sessions of the user were ended since it was opened. */
  readonly isEnded: boolean;
}

interface StoredSession extends WebSessionOpening {
  readonly id: string;
  readonly openedAt: number;
  readonly generation?: string;
}

/** An entry in the list of the sessions of a user. */
interface ListedSession {
  /** Digest of the cookie. */
  readonly digest: string;
  readonly openedAt: number;
}

export interface WebSessionsDependencies {
  readonly coordination: Pick<Coordination, 'tokens' | 'tables'>;
  readonly credentials: VerifiedCredentials;
  /** Seconds until a session ends. */
  readonly duration: number;
  /** Seconds without use after which a session ends. */
  readonly idle: number;
  /** Returns milliseconds; for tests. */
  readonly now: () => number;
}

/** Milliseconds after which the end of a session by another process is seen; by this process at once. */
const CACHED = 1000;
/** Milliseconds between two notes that a session is used. */
const RENEWAL = 60_000;
/** Sessions of a user. One more ends the oldest, so that logins cannot fill the storage. */
const MAX_SESSIONS = 100;
/** 256 random bits in base64url. */
const COOKIE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Stores the sessions of the web interface for all processes (docs/decisions/0037), by a digest of
 * the cookie. The time of the last use is a token of its own: a late note of it does not bring an ended session back.
 */
export class WebSessions {
  readonly #dependencies: WebSessionsDependencies;
  readonly #recent: CredentialsOfKind<WebSession>;
  readonly #loading = new Map<string, Promise<WebSession | undefined>>();
  readonly #renewing = new Set<string>();
  /** Changes with every end of a session, so that a read that was under way before it is not cached. */
  #ended = 0;

  constructor(dependencies: WebSessionsDependencies) {
    this.#dependencies = dependencies;
    const { now } = dependencies;
    this.#recent = dependencies.credentials.ofKind('web_session', { lifetime: CACHED, now });
  }

  /** Opens a session and returns its cookie (43 characters) once; throws `sessions_unavailable`. */
  async open(opening: WebSessionOpening): Promise<string> {
    const cookie = randomBytes(32).toString('base64url');
    const { duration, idle, now, coordination } = this.#dependencies;
    const { tokens, tables } = coordination;
    const [id, digest, openedAt] = [randomBytes(12).toString('base64url'), digestOf(cookie), now()];
    const store = async () => {
      const generation = await sessionGeneration(tokens, opening.username);
      await this.#makePlace(opening.username);
      // Listed before it is valid: there is no session that lists lack.
      await tables.put(tableOf(opening.username), id, { digest, openedAt } satisfies ListedSession);
      await tokens.put(usedKeyOf(digest), openedAt, idle * 1000);
      await tokens.put(keyOf(digest), { ...opening, id, openedAt, generation }, duration * 1000);
    };
    await whileAvailable(store(), unavailable('No session can be opened now'));
    return cookie;
  }

  /** Returns undefined when it is unknown or has ended. @throws Unavailable `sessions_unavailable` */
  async find(cookie: string): Promise<WebSession | undefined> {
    if (!COOKIE.test(cookie)) return undefined;
    const digest = digestOf(cookie);
    const known = this.#recent.get(digest);
    if (known !== undefined && this.#dependencies.now() < known.idleUntil) return known;
    const loading = this.#loading.get(digest);
    if (loading !== undefined) return loading;
    const load = this.#load(digest).finally(() => {
      if (this.#loading.get(digest) === load) this.#loading.delete(digest);
    });
    this.#loading.set(digest, load);
    return load;
  }

  /** Notes that a session is used, which postpones its end, at most once a minute. @throws as `find` */
  async use(cookie: string): Promise<void> {
    const session = await this.find(cookie);
    const { now, idle, coordination } = this.#dependencies;
    const digest = digestOf(cookie);
    if (session === undefined || now() - session.usedAt < RENEWAL || this.#renewing.has(digest)) return;
    this.#renewing.add(digest);
    try {
      await whileAvailable(
        coordination.tokens.put(usedKeyOf(digest), now(), idle * 1000),
        unavailable('The use of sessions cannot be noted now'),
      );
      this.#recent.delete(digest);
    } finally {
      this.#renewing.delete(digest);
    }
  }

  /** Ends a session. Returns it if there was one. @throws Unavailable `sessions_unavailable` */
  async end(cookie: string): Promise<WebSession | undefined> {
    const session = await this.find(cookie);
    if (session === undefined) return undefined;
    return (await this.endOf(session.username, session.id)) ? session : undefined;
  }

  /** Ends a session of a user. Returns whether there was one. @throws Unavailable `sessions_unavailable` */
  async endOf(username: string, id: string): Promise<boolean> {
    return whileAvailable(this.#remove(username, id), unavailable('The session cannot be ended now'));
  }

  /** Returns the sessions of a user, the one used last first. @throws Unavailable `sessions_unavailable` */
  async list(username: string): Promise<readonly WebSession[]> {
    return whileAvailable(this.#list(username), unavailable('Sessions cannot be listed now'));
  }

  async #list(username: string): Promise<readonly WebSession[]> {
    const found = await Promise.all(
      (await this.#listed(username)).map(async ([id, { digest }]) => {
        const session = await this.#read(digest);
        // Expired tokens leave their entry behind.
        if (session === undefined) await this.#dependencies.coordination.tables.take(tableOf(username), id);
        return session === undefined || session.isEnded ? [] : [session];
      }),
    );
    return found.flat().sort((left, right) => right.usedAt - left.usedAt);
  }

  async #listed(username: string): Promise<(readonly [id: string, session: ListedSession])[]> {
    const entries = await this.#dependencies.coordination.tables.entries(tableOf(username));
    return [...entries].map(([id, entry]) => [id, entry as ListedSession] as const);
  }

  /** Ends the oldest sessions of a user who has too many for one more. */
  async #makePlace(username: string): Promise<void> {
    const listed = await this.#listed(username);
    const oldest = listed.sort(([, left], [, right]) => left.openedAt - right.openedAt);
    const { duration, now } = this.#dependencies;
    const isOver = ({ openedAt }: ListedSession) => now() - openedAt > duration * 1000;
    const tooMany = oldest.length + 1 - MAX_SESSIONS;
    const leaving = oldest.filter(([, session], index) => index < tooMany || isOver(session));
    for (const [id] of leaving) await this.#remove(username, id);
  }

  async #remove(username: string, id: string): Promise<boolean> {
    const { tokens, tables } = this.#dependencies.coordination;
    const entry = (await tables.get(tableOf(username), id)) as ListedSession | undefined;
    if (entry === undefined) return false;
    const { digest } = entry;
    this.#forget(digest);
    try {
      const isRemoved = await tokens.remove(keyOf(digest));
      await tokens.remove(usedKeyOf(digest));
      await tables.take(tableOf(username), id);
      return isRemoved;
    } finally {
      this.#forget(digest);
    }
  }

  async #load(digest: string): Promise<WebSession | undefined> {
    const ended = this.#ended;
    const checkedAt = this.#dependencies.now();
    const found = await whileAvailable(
      this.#read(digest),
      unavailable('Sessions cannot be checked now. Yours may still be valid'),
    );
    if (found === undefined || ended !== this.#ended) this.#recent.delete(digest);
    else this.#recent.set(digest, found, { since: checkedAt });
    return found;
  }

  async #read(digest: string): Promise<WebSession | undefined> {
    const { coordination, duration, idle, now } = this.#dependencies;
    const { tokens } = coordination;
    const [stored, usedAt] = await Promise.all([tokens.get(keyOf(digest)), tokens.get(usedKeyOf(digest))]);
    if (stored === undefined || typeof usedAt !== 'number') return undefined;
    const { generation, ...session } = stored as StoredSession;
    const expiresAt = session.openedAt + duration * 1000;
    const idleUntil = Math.min(usedAt + idle * 1000, expiresAt);
    if (now() >= idleUntil) return undefined;
    const isEnded = (await sessionGeneration(tokens, session.username)) !== generation;
    return { ...session, usedAt, expiresAt, idleUntil, isEnded };
  }

  #forget(digest: string): void {
    this.#ended += 1;
    this.#recent.delete(digest);
    this.#loading.delete(digest);
  }
}

const digestOf = (cookie: string) => hash('sha256', cookie, 'hex');
const keyOf = (digest: string) => `web-session:${digest}`;
const usedKeyOf = (digest: string) => `web-session-used:${digest}`;
const tableOf = (username: string) => `web-sessions:${encodeURIComponent(username)}`;

/** @param effect begins the sentence, without its end */
function unavailable(effect: string): (options: ErrorOptions) => Unavailable {
  return (options) =>
    new Unavailable(
      'sessions_unavailable',
      `${effect}, because the coordination server does not answer. Try again later.`,
      options,
    );
}
