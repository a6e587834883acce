import { createHash, randomBytes } from 'node:crypto';
import type { Coordination } from '../coordination/coordination.ts';
import { PRIVILEGES, type Privilege } from './actor.ts';

/** What an app token stands for. */
export interface AppToken {
  readonly username: string;
  /** Of the credential that it was exchanged for. */
  readonly privileges: readonly Privilege[];
  /** The API key that it was exchanged for; without that key the token is void. */
  readonly keyName: string | undefined;
}

const LIFETIME = 60 * 60 * 1000;

/** Tokens that a login gives out, good for an hour. Only their hash is kept. */
export class AppTokens {
  readonly #tokens: Coordination['tokens'];

  constructor(parts: { readonly tokens: Coordination['tokens'] }) {
    this.#tokens = parts.tokens;
  }

  /** The token in the form that callers send as `Bearer`: `<username>:<token>`. */
  async issue(token: AppToken): Promise<string> {
    const secret = randomBytes(32).toString('hex');
    await this.#tokens.put(keyOf(token.username, secret), { ...token }, LIFETIME);
    return `${token.username}:${secret}`;
  }

  /** Undefined when it is unknown, expired or revoked. */
  async find(username: string, secret: string): Promise<AppToken | undefined> {
    const stored = await this.#tokens.get(keyOf(username, secret));
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { privileges, keyName } = stored as { privileges?: unknown; keyName?: unknown };
    const known = PRIVILEGES.filter((one) => Array.isArray(privileges) && privileges.includes(one));
    return { username, privileges: known, keyName: typeof keyName === 'string' ? keyName : undefined };
  }

  /** Ends every session of the user. */
  async revokeAll(username: string): Promise<void> {
    await this.#tokens.removeWithPrefix(prefixOf(username));
  }
}

/** Names are encoded so that no name is the beginning of another's key. */
function prefixOf(username: string): string {
  return `app-token:${encodeURIComponent(username)}:`;
}

function keyOf(username: string, secret: string): string {
  return `${prefixOf(username)}${createHash('sha256').update(secret).digest('hex')}`;
}
