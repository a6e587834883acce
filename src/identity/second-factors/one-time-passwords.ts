import { generateSecret, generateURI, verify } from 'otplib';
import type { Coordination } from '../../coordination/coordination.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { UserStore } from '../user-store.ts';

export interface OneTimePasswordDependencies {
  readonly users: UserStore;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** Seconds that a code is valid (RFC 6238). Clocks may differ by one period. */
const PERIOD = 30;
/** Milliseconds until a secret has to be confirmed with a code. */
const SETUP_LIFETIME = 10 * 60 * 1000;
const ISSUER = 'Triad';

/** Sets up and verifies one-time passwords (contract/analysis.md sections 2.1 and 2.6). */
export class OneTimePasswords {
  readonly #dependencies: OneTimePasswordDependencies;

  constructor(dependencies: OneTimePasswordDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates a base32 secret and its `otpauth://` address, for `confirm`. @throws `second_factor_exists` */
  async begin(username: string) {
    const user = await this.#dependencies.users.recent(username);
    if (user?.otp_sk) throw new InvalidInput('second_factor_exists', 'OTP already set for this user');
    const secret = generateSecret();
    await this.#dependencies.coordination.tokens.put(setupKey(username), secret, SETUP_LIFETIME);
    return { secret, address: generateURI({ issuer: ISSUER, label: username, secret }) };
  }

  /** Puts the secret of `begin` in force, for ten minutes. @throws InvalidInput `wrong_one_time_password` */
  async confirm(username: string, code: string): Promise<void> {
    const { tokens } = this.#dependencies.coordination;
    const secret = await tokens.get(setupKey(username));
    if (typeof secret !== 'string' || !(await this.use(username, secret, code))) {
      throw new InvalidInput('wrong_one_time_password', 'OTP token does not match secret key', {
        response: { success: false },
      });
    }
    await this.#dependencies.users.update(username, [{ op: 'set', path: 'otp_sk', value: secret }]);
    await tokens.remove(setupKey(username));
  }

  /** Returns whether a code is right, once (RFC 6238 section 5.2). */
  async use(username: string, secret: string, code: string): Promise<boolean> {
    if (!/^\d{6}$/.test(code)) return false;
    const { coordination, now } = this.#dependencies;
    const given = await verify({
      secret,
      token: code,
      period: PERIOD,
      epoch: Math.floor(now() / 1000),
      epochTolerance: PERIOD,
    }).catch(() => undefined);
    if (!given?.valid || !('timeStep' in given)) return false;
    const uses = await coordination.counters.increment(
      `one-time-password:${username}:${given.timeStep}`,
      4 * PERIOD * 1000,
    );
    return uses === 1;
  }
}

function setupKey(username: string): string {
  return `one-time-password-setup:${username}`;
}
