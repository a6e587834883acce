import { hash } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, TooManyRequests, Unavailable } from '../../errors/errors.ts';
import { networkOf } from '../networks.ts';

/** The purpose of a challenge: an answer for one is no answer for the other. */
export type ChallengePurpose = 'login' | 'registration';

interface ChallengeOwner {
  readonly username: string;
  readonly purpose: ChallengePurpose;
}

/** Milliseconds in which a challenge can be answered. */
export const CHALLENGE_LIFETIME = 5 * 60 * 1000;
/** Challenges of a user at a network within that time; more would fill the coordination server. */
const MAX_CHALLENGES = 50;

/**
 * Stores the challenges of security keys for all processes by their hash. Each belongs to one user and
 * purpose, can be answered once and expires after five minutes. Every method throws Unavailable `passwords_unavailable`.
 */
export class SecurityKeyChallenges {
  readonly #coordination: Pick<Coordination, 'tokens' | 'counters'>;

  constructor(coordination: Pick<Coordination, 'tokens' | 'counters'>) {
    this.#coordination = coordination;
  }

  /** @throws TooManyRequests `too_many_challenges` */
  async issue(challenge: string, owner: ChallengeOwner, address: string): Promise<void> {
    const { tokens, counters } = this.#coordination;
    const counted = counters.increment(
      `security-key-challenges:${slotOf(owner.username, address)}`,
      CHALLENGE_LIFETIME,
    );
    if ((await whileAvailable(counted, unavailable)) > MAX_CHALLENGES) {
      throw new TooManyRequests(
        'too_many_challenges',
        'Too many answers of a security key were asked for. Try again in five minutes.',
        { retryAfter: CHALLENGE_LIFETIME / 1000 },
      );
    }
    await whileAvailable(tokens.put(keyOf(challenge), { ...owner }, CHALLENGE_LIFETIME), unavailable);
  }

  /** Uses a challenge up. Returns whether it was issued for this user and purpose. */
  async use(challenge: string, { username, purpose }: ChallengeOwner): Promise<boolean> {
    const taken = await whileAvailable(this.#coordination.tokens.take(keyOf(challenge)), unavailable);
    const owner = taken as ChallengeOwner | undefined;
    return owner?.username === username && owner.purpose === purpose;
  }

  /** Notes that the first factor of a login was right, after which a challenge may be asked for. */
  async beginLogin(username: string, address: string): Promise<void> {
    const noted = this.#coordination.tokens.put(loginKey(username, address), true, CHALLENGE_LIFETIME);
    await whileAvailable(noted, unavailable);
  }

  /** Returns whether the first factor was right within five minutes, in a login from the same network. */
  async isLoginBegun(username: string, address: string): Promise<boolean> {
    return (await whileAvailable(this.#coordination.tokens.get(loginKey(username, address)), unavailable)) === true;
  }
}

function keyOf(challenge: string): string {
  return `security-key-challenge:${hash('sha256', challenge, 'hex')}`;
}

function loginKey(username: string, address: string): string {
  return `second-factor-login:${slotOf(username, address)}`;
}

function slotOf(username: string, address: string): string {
  return `${networkOf(address)} ${username}`;
}

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'passwords_unavailable',
    'Security keys cannot be used now, because the coordination server does not answer. Log in with an API key, or try again later.',
    options,
  );
}
