import { hash } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Forbidden, InvalidInput, isTriadError, Unavailable } from '../../errors/errors.ts';
import { type AuditLog, auditRefusal, originAt, type RequestOrigin } from '../audit/audit-log.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { PasswordLogin } from '../passwords/password-login.ts';
import type { UserStore } from '../user-store.ts';
import { type GivenSecondFactor, isGiven, type SecondFactors } from './second-factors.ts';

/** A session whose user may prove who they are. Times are milliseconds since 1970. */
export interface ProvableSession {
  /** Identifies the session; need not be secret. */
  readonly id: string;
  readonly username: string;
  readonly openedAt: number;
  /** The sign-in was one of the person: by password or at a provider, not by an API key. */
  readonly isOfPerson: boolean;
}

/** The password, or a second factor. Empty values count as missing. */
export interface GivenProof extends GivenSecondFactor {
  readonly password?: string | undefined;
}

interface RecentProofDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly tokens: Coordination['tokens'];
  readonly passwords: Pick<PasswordLogin, 'verify'>;
  readonly secondFactors: Pick<SecondFactors, 'kindsOf' | 'verify'>;
  readonly audit: AuditLog;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** Milliseconds for which a proof, or a sign-in, counts. */
const LIFETIME = 5 * 60 * 1000;

/**
 * Stores for all processes which sessions have proved in the last five minutes that the user is there.
 * A passer-by at an unlocked browser must not change what its owner signs in with.
 */
export class RecentProofs {
  readonly #dependencies: RecentProofDependencies;

  constructor(dependencies: RecentProofDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Verifies the password or a second factor for a session, within the limits of logins. Returns when it
   * stops to count. @throws InvalidInput `proof_missing`; Forbidden `proof_refused`; TooManyRequests, Unavailable as logins
   */
  async prove(session: ProvableSession, given: GivenProof, origin: RequestOrigin): Promise<number> {
    const { log, audit, tokens, now } = this.#dependencies;
    if (!given.password && !isGiven(given)) throw missingProof();
    const { id, username: user } = session;
    try {
      await this.#verify(user, given, origin.address);
    } catch (error) {
      const method = given.password ? 'password' : 'second_factor';
      auditRefusal({ log, audit }, error, { event: 'credential_refused', ...originAt('web', origin), user, method });
      throw refusedProof(error);
    }
    const ends = now() + LIFETIME;
    await whileAvailable(tokens.put(keyOf(id), ends, LIFETIME), unavailable);
    return ends;
  }

  /** Returns when the last proof, or the sign-in itself, stops to count; undefined: it does not count. */
  async endOf({ id, openedAt, isOfPerson }: ProvableSession): Promise<number | undefined> {
    const { tokens, now } = this.#dependencies;
    const proved = await whileAvailable(tokens.get(keyOf(id)), unavailable);
    const ends = Math.max(typeof proved === 'number' ? proved : 0, isOfPerson ? openedAt + LIFETIME : 0);
    return ends > now() ? ends : undefined;
  }

  /** @throws Forbidden `proof_required` */
  async assertRecent(session: ProvableSession): Promise<void> {
    if ((await this.endOf(session)) !== undefined) return;
    throw new Forbidden(
      'proof_required',
      'Confirm that it is you: enter your password, or use a second factor. After that you can change your second factors for five minutes.',
    );
  }

  async #verify(username: string, given: GivenProof, address: string): Promise<void> {
    const { passwords, secondFactors, users } = this.#dependencies;
    if (given.password) return void (await passwords.verify(username, given.password, address));
    const user = await users.recent(username);
    // Where no second factor is required, none proves anything.
    if (user === undefined || secondFactors.kindsOf(user).length === 0) throw missingProof();
    await secondFactors.verify(user, given, address);
  }
}

/** Turns a 401, which tells pages that their session has ended, into a 403. */
function refusedProof(error: unknown): unknown {
  if (!isTriadError(error) || error.kind !== 'unauthenticated') return error;
  const { retryAfter } = error;
  const options = { cause: error, ...(retryAfter === undefined ? {} : { retryAfter }) };
  return new Forbidden('proof_refused', error.message, options);
}

function missingProof(): InvalidInput {
  return new InvalidInput(
    'proof_missing',
    'Send "password", or "otp" or "webauthn_auth_resp" for a second factor of your account.',
  );
}

function keyOf(id: string): string {
  return `recent-proof:${hash('sha256', id, 'hex')}`;
}

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'sessions_unavailable',
    'It cannot be checked now that it is you, because the coordination server does not answer. Try again later.',
    options,
  );
}
