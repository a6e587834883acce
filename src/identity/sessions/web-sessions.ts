import { hash, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unauthenticated, Unavailable } from '../../errors/errors.ts';
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
  /** The API key that opened it. */
  readonly keyName?: string | undefined;
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
/** Sessions that a user opened. One more ends the oldest, so that logins cannot fill the storage. */
const MAX_SESSIONS = 100;
/** Sessions that one API key opened. It ends none but its own. */
const MAX_KEY_SESSIONS = 20;
/** Milliseconds that a login may take between the entry of a session and its token. */
const OPENING = 60_000;
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

  /**
   * Opens a session and returns its cookie (43 characters) once.
   * @throws Unavailable `sessions_unavailable`; Unauthenticated `session_ended` if it was ended meanwhile
   */
  async open(opening: WebSessionOpening): Promise<string> {
    const cookie = randomBytes(32).toString('base64url');
    const { duration, idle, now, coordination } = this.#dependencies;
    const { tokens, tables } = coordination;
    const [id, digest, openedAt] = [randomBytes(12).toString('base64url'), digestOf(cookie), now()];
    const store = async () => {
      const generation = await sessionGeneration(tokens, opening.username);
      await this.#evictOldest(opening);
      const entry: ListedSession = { digest, openedAt, keyName: opening.keyName };
      // Listed before it is valid: there is no session that lists lack.
      await tables.put(tableOf(opening.username), id, entry);
      await tokens.put(usedKeyOf(digest), openedAt, idle * 1000);
      await tokens.put(keyOf(digest), { ...opening, id, openedAt, generation }, duration * 1000);
      if ((await tables.get(tableOf(opening.username), id)) !== undefined) return;
      // Another request ended it meanwhile, before it had tokens.
      await this.#remove(opening.username, id, digest);
      throw sessionEnded();
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
    const isRemoved = await whileAvailable(
      this.#remove(session.username, session.id, digestOf(cookie)),
      unavailable('The session cannot be ended now'),
    );
    return isRemoved ? session : undefined;
  }

  /** Ends a session of a user. Returns whether there was one. @throws Unavailable `sessions_unavailable` */
  async endOf(username: string, id: string): Promise<boolean> {
    return whileAvailable(this.#removeListed(username, id), unavailable('The session cannot be ended now'));
  }

  /** Returns the sessions of a user, the one used last first. @throws Unavailable `sessions_unavailable` */
  async list(username: string): Promise<readonly WebSession[]> {
    return whileAvailable(this.#list(username), unavailable('Sessions cannot be listed now'));
  }

  async #list(username: string): Promise<readonly WebSession[]> {
    const { coordination, now } = this.#dependencies;
    const found = await Promise.all(
      (await this.#listed(username)).map(async ([id, { digest, openedAt }]) => {
        const session = await this.#read(digest);
        // Expired tokens leave their entry behind; those of a session that is being opened follow it.
        const isOrphan = session === undefined && now() - openedAt > OPENING;
        if (isOrphan) await coordination.tables.take(tableOf(username), id);
        return session === undefined || session.isEnded ? [] : [session];
      }),
    );
    return found.flat().sort((left, right) => right.usedAt - left.usedAt);
  }

  async #listed(username: string): Promise<(readonly [id: string, session: ListedSession])[]> {
    const entries = await this.#dependencies.coordination.tables.entries(tableOf(username));
    return [...entries].map(([id, entry]) => [id, entry as ListedSession] as const);
  }

  /** Ends the oldest sessions of the user, or of the API key, that would have too many with one more. */
  async #evictOldest({ username, keyName }: WebSessionOpening): Promise<void> {
    const { duration, now } = this.#dependencies;
    const listed = await this.#listed(username);
    const rivals = listed.filter(([, session]) => session.keyName === keyName);
    const oldest = rivals.sort(([, left], [, right]) => left.openedAt - right.openedAt);
    const tooMany = oldest.length + 1 - (keyName === undefined ? MAX_SESSIONS : MAX_KEY_SESSIONS);
    const evicted = oldest.slice(0, Math.max(0, tooMany));
    const expired = listed.filter(([, { openedAt }]) => now() - openedAt > duration * 1000);
    for (const [id] of new Map([...evicted, ...expired])) await this.#removeListed(username, id);
  }

  async #removeListed(username: string, id: string): Promise<boolean> {
    const { tables } = this.#dependencies.coordination;
    const entry = (await tables.get(tableOf(username), id)) as ListedSession | undefined;
    return entry !== undefined && this.#remove(username, id, entry.digest);
  }

  /** Removes the tokens of a session and its entry, if it has one. Returns whether it was valid. */
  async #remove(username: string, id: string, digest: string): Promise<boolean> {
    const { tokens, tables } = this.#dependencies.coordination;
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

/** Returns the refusal of a cookie without a session. */
export function sessionEnded(): Unauthenticated {
  return new Unauthenticated('session_ended', 'Your session has ended. Sign in again.');
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
