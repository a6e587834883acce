import { hash, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unavailable } from '../../errors/errors.ts';
import type { CredentialHolder } from '../audit/audit-log.ts';
import { seal, sealingKey, unseal } from '../sealed-text.ts';
import { sessionGeneration } from './app-tokens.ts';

/** A sign-in at a provider. */
export interface SignedIn {
  readonly username: string;
  readonly provider: string;
  /** Milliseconds since 1970 at which the token ends that the provider gave. */
  readonly tokenEnds: number;
  /** Result of `credentialFingerprint` at the sign-in: another account may get the name. */
  readonly credentialFingerprint: string;
  /** The verified facts of that token, for the audit log. */
  readonly holder?: CredentialHolder | undefined;
  /** For the caller after the second factor. Readers of the coordination server cannot use it. */
  readonly secret?: string | undefined;
}

interface StoredTicket extends Omit<SignedIn, 'secret'> {
  /** Generation of the sessions of the user at the sign-in; undefined: they were never ended. */
  readonly generation?: string;
  /** The secret, under a key that follows from the ticket. */
  readonly sealed?: string;
}

/** Milliseconds. The browser presents it at once. */
const LIFETIME = 5 * 60 * 1000;
/** 256 random bits in base64url. */
const TICKET = /^[A-Za-z0-9_-]{43}$/;
/** Purpose of the keys that follow from tickets. */
const SEALING = 'sign-in ticket';

/**
 * Stores the tickets that browsers exchange for one session after a sign-in at a provider within five
 * minutes (`oauth_token_id`, contract/analysis.md sections 2.1 and 2.6). Only a hash is stored.
 */
export class SignInTickets {
  readonly #tokens: Coordination['tokens'];

  constructor(parts: Pick<Coordination, 'tokens'>) {
    this.#tokens = parts.tokens;
  }

  /** @throws Unavailable `sessions_unavailable` */
  async issue(signedIn: SignedIn): Promise<string> {
    const ticket = randomBytes(32).toString('base64url');
    const key = keyOf(ticket);
    const { secret, ...open } = signedIn;
    const sealed = secret === undefined ? {} : { sealed: seal(secret, sealingKey(ticket, SEALING), key) };
    const stored = sessionGeneration(this.#tokens, signedIn.username).then((generation) =>
      this.#tokens.put(key, { ...open, ...sealed, generation }, LIFETIME),
    );
    await whileAvailable(stored, unavailable);
    return ticket;
  }

  /** Returns the sign-in unless expired, used, ended or another user's; throws `sessions_unavailable`. */
  async find(ticket: string, username: string): Promise<SignedIn | undefined> {
    if (!TICKET.test(ticket)) return undefined;
    const key = keyOf(ticket);
    const asked = Promise.all([this.#tokens.get(key), sessionGeneration(this.#tokens, username)]);
    const [stored, generation] = await whileAvailable(asked, unavailable);
    const found = stored as StoredTicket | undefined;
    if (found?.username !== username || found.generation !== generation) return undefined;
    const { generation: _generation, sealed, ...signedIn } = found;
    return sealed === undefined ? signedIn : { ...signedIn, secret: unseal(sealed, sealingKey(ticket, SEALING), key) };
  }

  /** Uses a ticket up. Of several callers, one gets true. @throws Unavailable `sessions_unavailable` */
  async use(ticket: string): Promise<boolean> {
    return (await whileAvailable(this.#tokens.take(keyOf(ticket)), unavailable)) !== undefined;
  }
}

function keyOf(ticket: string): string {
  return `analysis-sign-in:${hash('sha256', ticket, 'hex')}`;
}

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'sessions_unavailable',
    'No session can be opened now, because the coordination server does not answer. Try again later.',
    options,
  );
}
