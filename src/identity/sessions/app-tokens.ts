import { createHash, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unavailable } from '../../errors/errors.ts';
import type { Privilege } from '../actor.ts';
import type { ListedSession } from './listed-session.ts';

/** The credential that an app token represents. */
export interface AppToken {
  readonly username: string;
  /** Privileges of that credential. */
  readonly privileges: readonly Privilege[];
  /** Name of the API key, if it was one; without that key the token is void. */
  readonly keyName: string | undefined;
  /** Result of `credentialFingerprint` at the login; with another one the token is void. */
  readonly credentialFingerprint: string;
}

const LIFETIME = 60 * 60 * 1000;

/** Stores the tokens of logins for an hour. Only their hash is stored. */
export class AppTokens {
  readonly #tokens: Coordination['tokens'];

  constructor(parts: { readonly tokens: Coordination['tokens'] }) {
    this.#tokens = parts.tokens;
  }

  /** Creates a token, `<username>:<token>`. @throws Unavailable `app_tokens_unavailable` */
  async issue(token: AppToken): Promise<string> {
    const secret = randomBytes(32).toString('hex');
    await whileAvailable(
      this.#tokens.put(keyOf(token.username, secret), { ...token }, LIFETIME),
      unavailable(
        'No app token can be given out now, because the coordination server does not answer. Send an API key with every request instead, or try again later.',
      ),
    );
    return `${tokenName(token.username)}:${secret}`;
  }

  /** Returns undefined when unknown, expired or revoked. @throws Unavailable `app_tokens_unavailable` */
  async find(username: string, secret: string): Promise<AppToken | undefined> {
    const stored = await whileAvailable(
      this.#tokens.get(keyOf(username, secret)),
      unavailable(
        'App tokens cannot be checked now, because the coordination server does not answer. Yours may still be good: try again later, or send an API key.',
      ),
    );
    return stored as AppToken | undefined;
  }

  /** Revokes a token. @throws Unavailable `app_tokens_unavailable` */
  async revoke(username: string, secret: string): Promise<void> {
    await whileAvailable(
      this.#tokens.remove(keyOf(username, secret)),
      unavailable(
        'Your app token could not be withdrawn, because the coordination server does not answer. It ends within an hour; log out again later to end it before.',
      ),
    );
  }

  /** Returns the tokens of a user that did not expire. @throws Unavailable */
  async list(username: string): Promise<readonly ListedSession[]> {
    const prefix = prefixOf(username);
    const found: ListedSession[] = [];
    for await (const batch of this.#tokens.scan(prefix)) {
      for (const { key, value, expiresAt } of batch) {
        const { keyName } = value as AppToken;
        const opened = {
          openedAt: expiresAt - LIFETIME,
          expiresAt,
          openedBy: keyName === undefined ? 'password' : 'api_key',
        };
        found.push({ service: 'alerts', id: key.slice(prefix.length), keyName, ...opened });
      }
    }
    return found;
  }

  /** Revokes a token of `list`. Returns whether there was one. @throws Unavailable */
  async endOf(username: string, id: string): Promise<boolean> {
    return this.#tokens.remove(prefixOf(username) + id);
  }

  /** Ends all sessions of a user, at all services. @throws Unavailable `sessions_not_ended` */
  async revokeAll(username: string): Promise<void> {
    await whileAvailable(
      this.#endAll(username),
      (options) =>
        new Unavailable(
          'sessions_not_ended',
          `The change of ${username} is stored, but their app tokens could not be withdrawn, because the coordination server does not answer. They end within an hour; repeat the change later to end them at once.`,
          options,
        ),
    );
  }

  async #endAll(username: string): Promise<void> {
    await beginSessionGeneration(this.#tokens, username);
    await this.#tokens.removeWithPrefix(prefixOf(username));
  }
}

/** Percent-encodes a name with more than visible ASCII for headers. `readAppToken` decodes it. */
function tokenName(username: string): string {
  return /^[\x21-\x24\x26-\x7e]+$/.test(username) ? username : encodeURIComponent(username);
}

/** Encodes the name, so that no name is the beginning of another's key. */
function prefixOf(username: string): string {
  return `app-token:${encodeURIComponent(username)}:`;
}

function keyOf(username: string, secret: string): string {
  return `${prefixOf(username)}${createHash('sha256').update(secret).digest('hex')}`;
}

function unavailable(sentence: string): (options: ErrorOptions) => Unavailable {
  return (options) => new Unavailable('app_tokens_unavailable', sentence, options);
}

type Tokens = Pick<Coordination['tokens'], 'get' | 'put'>;

/** Ten years: longer than sessions. */
const GENERATION_LIFETIME = 10 * 365 * 24 * 3_600_000;

/**
 * Returns the generation of the sessions of a user; undefined until all were ended for the first time.
 * Those of an older one are void, also after the account is enabled again. @throws Unavailable
 */
export async function sessionGeneration(tokens: Tokens, username: string): Promise<string | undefined> {
  const generation = await tokens.get(generationKeyOf(username));
  return typeof generation === 'string' ? generation : undefined;
}

/** Ends all sessions of a user. @throws Unavailable */
export async function beginSessionGeneration(tokens: Tokens, username: string): Promise<void> {
  await tokens.put(generationKeyOf(username), randomBytes(12).toString('base64url'), GENERATION_LIFETIME);
}

function generationKeyOf(username: string): string {
  return `session-generation:${encodeURIComponent(username)}`;
}
