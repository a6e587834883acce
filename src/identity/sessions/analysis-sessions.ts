import { hash, randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { type ErrorOptions, Unavailable } from '../../errors/errors.ts';
import type { AuthenticationMethod } from '../actor.ts';
import type { Caller, PresentedCredentials } from '../authenticator.ts';
import type { CredentialsOfKind, VerifiedCredentials } from '../verified-credentials.ts';
import { sessionGeneration } from './app-tokens.ts';
import type { ListedSession } from './listed-session.ts';

/** A session as its login describes it. */
export interface AnalysisSession {
  readonly username: string;
  /** Address of the login. */
  readonly address: string;
  /** Its beginning, as `agentMark` cuts it. */
  readonly userAgent: string;
  readonly xsrfToken: string;
  /** Credential of the login. */
  readonly openedBy: AuthenticationMethod;
  /** The API key that opened it; without that key the session is void. */
  readonly keyName: string | undefined;
  /** Roles that the credential left, where no API key says so: that of a token. Undefined: no limit. */
  readonly rolesLimit: readonly AnalysisRole[] | undefined;
  /** Milliseconds since 1970 at which the token of a provider ends that opened it; undefined: none. */
  readonly credentialEnds: number | undefined;
  /** The client that opened it with a token of the user; undefined: the user did. */
  readonly onBehalfOf: Pick<Caller, 'impersonator' | 'azp' | 'provider'> | undefined;
  /** Result of `credentialFingerprint` at the login; with another one the session is void. */
  readonly credentialFingerprint: string;
}

/** A session that was found. */
export interface FoundSession extends AnalysisSession {
  /** All sessions of the user were ended since it was opened. */
  readonly isEnded: boolean;
}

type StoredSession = AnalysisSession & { readonly generation: string | undefined };

export interface AnalysisSessionsDependencies {
  readonly tokens: Coordination['tokens'];
  readonly credentials: VerifiedCredentials;
  /** Seconds until a session ends. */
  readonly duration: number;
  /** Returns milliseconds; for tests. */
  readonly now: () => number;
}

/** Milliseconds after which the end of a session by another process is seen; by this process at once. */
const LIFETIME = 1000;
/** Beginning of the keys of sessions; the rest is a digest of the cookie. */
const PREFIX = 'analysis-session:';
const MAX_AGENT = 512;
/** 256 random bits in base64url. */
const COOKIE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Stores the sessions of the analysis service for all processes, with an absolute end, by a hash of
 * the cookie. Each login opens a new session, so that an attacker cannot make a user continue a known one.
 */
export class AnalysisSessions {
  readonly #dependencies: AnalysisSessionsDependencies;
  readonly #recent: CredentialsOfKind<FoundSession>;
  readonly #loading = new Map<string, Promise<FoundSession | undefined>>();
  /** Changes with every end of a session, so that a read that was under way before it is not remembered. */
  #ended = 0;

  constructor(dependencies: AnalysisSessionsDependencies) {
    this.#dependencies = dependencies;
    this.#recent = dependencies.credentials.ofKind('session', { lifetime: LIFETIME, now: dependencies.now });
  }

  /** Opens a session and returns its cookie (43 characters) once; throws `sessions_unavailable`. */
  async open(session: AnalysisSession): Promise<string> {
    const cookie = randomBytes(32).toString('base64url');
    const { tokens } = this.#dependencies;
    await whileAvailable(
      sessionGeneration(tokens, session.username).then((generation) => {
        const stored: StoredSession = { ...session, generation };
        return tokens.put(keyOf(cookie), stored, this.durationOf(session) * 1000);
      }),
      unavailable(
        'No session can be opened now, because the coordination server does not answer. Send an API key with every request instead, or try again later.',
      ),
    );
    return cookie;
  }

  /** Seconds from now until a new session like this ends; at least 1. */
  durationOf({ rolesLimit, credentialEnds }: AnalysisSession): number {
    const { duration, now } = this.#dependencies;
    // A session that is limited like a token is the token in another form.
    if (rolesLimit === undefined || credentialEnds === undefined) return duration;
    return Math.max(1, Math.min(duration, Math.ceil((credentialEnds - now()) / 1000)));
  }

  /** Returns undefined when it is unknown or has ended. @throws Unavailable `sessions_unavailable` */
  async find(cookie: string): Promise<FoundSession | undefined> {
    if (!COOKIE.test(cookie)) return undefined;
    const key = keyOf(cookie);
    const known = this.#recent.get(key);
    if (known) return known;
    const loading = this.#loading.get(key);
    if (loading) return loading;
    const load = this.#load(key).finally(() => {
      if (this.#loading.get(key) === load) this.#loading.delete(key);
    });
    this.#loading.set(key, load);
    return load;
  }

  /** Ends a session. Returns whether there was one. @throws Unavailable `sessions_unavailable` */
  async end(cookie: string): Promise<boolean> {
    if (!COOKIE.test(cookie)) return false;
    const key = keyOf(cookie);
    this.#forget(key);
    try {
      return await whileAvailable(
        this.#dependencies.tokens.remove(key),
        unavailable(
          'The session cannot be ended now, because the coordination server does not answer. Try again later.',
        ),
      );
    } finally {
      this.#forget(key);
    }
  }

  /** Returns the sessions of a user that did not end; looks at all sessions. @throws Unavailable */
  async list(username: string): Promise<readonly ListedSession[]> {
    const { tokens } = this.#dependencies;
    const generation = await sessionGeneration(tokens, username);
    const found: ListedSession[] = [];
    for await (const batch of tokens.scan(PREFIX)) {
      for (const { key, value, expiresAt } of batch) {
        const session = value as StoredSession;
        if (session.username !== username || session.generation !== generation) continue;
        const { openedBy, keyName, address, userAgent } = session;
        const openedAt = expiresAt - this.durationOf(session) * 1000;
        found.push({
          ...{ service: 'analysis', id: key.slice(PREFIX.length), openedBy, keyName, address, userAgent, expiresAt },
          // The end of one that ends with its token says nothing of its beginning.
          openedAt: session.credentialEnds === undefined ? openedAt : undefined,
        });
      }
    }
    return found;
  }

  /** Ends a session of `list`. Returns whether the user had it. @throws Unavailable */
  async endOf(username: string, id: string): Promise<boolean> {
    const { tokens } = this.#dependencies;
    const key = PREFIX + id;
    const stored = (await tokens.get(key)) as StoredSession | undefined;
    if (stored?.username !== username) return false;
    this.#forget(key);
    try {
      return await tokens.remove(key);
    } finally {
      this.#forget(key);
    }
  }

  async #load(key: string): Promise<FoundSession | undefined> {
    const ended = this.#ended;
    const checkedAt = this.#dependencies.now();
    const found = await whileAvailable(
      this.#read(key),
      unavailable(
        'Sessions cannot be checked now, because the coordination server does not answer. Yours may still be good: try again later, or send an API key.',
      ),
    );
    if (found === undefined || ended !== this.#ended) this.#recent.delete(key);
    else this.#recent.set(key, found, { since: checkedAt });
    return found;
  }

  async #read(key: string): Promise<FoundSession | undefined> {
    const { tokens } = this.#dependencies;
    const stored = (await tokens.get(key)) as StoredSession | undefined;
    if (stored === undefined) return undefined;
    return { ...stored, isEnded: (await sessionGeneration(tokens, stored.username)) !== stored.generation };
  }

  #forget(key: string): void {
    this.#ended += 1;
    this.#recent.delete(key);
    this.#loading.delete(key);
  }
}

/** The session cookie, which programs also read (contract/analysis.md section 11.2). */
export const SESSION_COOKIE = 'session';
/** The session cookie with TLS, which other hosts cannot set (RFC 6265bis section 4.1.3.2). */
export const HOST_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Returns the session cookie; of browsers (Fetch Metadata) with TLS only that which others cannot set. */
export function presentedSession(presented: PresentedCredentials): string | undefined {
  const header = presented.header('cookie');
  if (header === undefined) return undefined;
  const cookies = parseCookie(header);
  const isBrowser = presented.header('sec-fetch-site') !== undefined;
  return cookies[HOST_SESSION_COOKIE] ?? (isBrowser && presented.isEncrypted() ? undefined : cookies[SESSION_COOKIE]);
}

/** Shortens a user agent, whose length callers choose, for a session. */
export function agentMark(userAgent: string | undefined): string {
  return (userAgent ?? '').slice(0, MAX_AGENT);
}

function keyOf(cookie: string): string {
  return PREFIX + hash('sha256', cookie, 'hex');
}

function unavailable(sentence: string): (options: ErrorOptions) => Unavailable {
  return (options) => new Unavailable('sessions_unavailable', sentence, options);
}
