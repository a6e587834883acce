import { generateSecret, generateURI, verify } from 'otplib';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { InvalidInput, Unauthenticated } from '../../errors/errors.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { RecentUser, UserStore } from '../user-store.ts';

export interface SecondFactorDependencies {
  readonly users: UserStore;
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly throttle: Pick<LoginThrottle, 'begin' | 'succeeded' | 'failed'>;
  readonly settings: Settings['analysis']['auth'];
  readonly audit: AuditLog;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** Seconds that a code is valid (RFC 6238). Clocks may differ by one period. */
const PERIOD = 30;
/** Milliseconds until a secret has to be confirmed with a code. */
const SETUP_LIFETIME = 10 * 60 * 1000;
const ISSUER = 'Triad';

/** Sets up and verifies one-time passwords (contract/analysis.md sections 2.1 and 2.6). */
export class SecondFactor {
  readonly #dependencies: SecondFactorDependencies;

  constructor(dependencies: SecondFactorDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Requires the second factor of users who have one. A wrong code counts as a failed login, and each
   * is valid once (RFC 6238 section 5.2). @throws `wrong_one_time_password`, `wrong_security_token`, `locked_out`
   */
  async verify(user: RecentUser, code: string | undefined, address: string): Promise<void> {
    const { settings, throttle } = this.#dependencies;
    const secret = settings.allow_2fa && user.otp_sk ? user.otp_sk : undefined;
    if (secret === undefined) {
      if (settings.allow_security_tokens && Object.keys(user.security_tokens ?? {}).length > 0) {
        throw new Unauthenticated('wrong_security_token', 'Wrong Security Token');
      }
      return;
    }
    const attempt = { username: user.uname, address };
    const counts = await throttle.begin(attempt);
    if (code === undefined || !(await this.#isRight(user.uname, secret, code))) {
      await throttle.failed(address, { username: user.uname, counts });
      throw new Unauthenticated('wrong_one_time_password', 'Wrong OTP token');
    }
    await throttle.succeeded(attempt);
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
  async confirm(username: string, code: string, origin: AuditOrigin): Promise<void> {
    const { tokens } = this.#dependencies.coordination;
    const secret = await tokens.get(setupKey(username));
    if (typeof secret !== 'string' || !(await this.#isRight(username, secret, code))) {
      throw new InvalidInput('wrong_one_time_password', 'OTP token does not match secret key', {
        response: { success: false },
      });
    }
    await this.#dependencies.users.update(username, [{ op: 'set', path: 'otp_sk', value: secret }]);
    await tokens.remove(setupKey(username));
    this.#auditChange(username, origin);
  }

  /** Removes the second factor, and security tokens. @throws NotFound `document_missing` */
  async remove(username: string, origin: AuditOrigin): Promise<void> {
    await this.#dependencies.users.update(username, [
      { op: 'unset', path: 'otp_sk' },
      { op: 'unset', path: 'security_tokens' },
    ]);
    this.#auditChange(username, origin);
  }

  async #isRight(username: string, secret: string, code: string): Promise<boolean> {
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

  #auditChange(user: string, origin: AuditOrigin): void {
    this.#dependencies.audit.write({ ...origin, event: 'user_changed', user, fields: ['otp_sk'] });
  }
}

/** Rejects a password in every request of a user with a second factor: `wrong_one_time_password`. */
export function rejectPasswordAlone(
  { otp_sk: secret, security_tokens: tokens }: RecentUser,
  settings: Pick<SecondFactorDependencies['settings'], 'allow_2fa' | 'allow_security_tokens'>,
): void {
  const isAsked =
    (settings.allow_2fa && secret) || (settings.allow_security_tokens && Object.keys(tokens ?? {}).length > 0);
  if (!isAsked) return;
  throw new Unauthenticated(
    'wrong_one_time_password',
    'This account has a second factor, so its password alone is not enough. Log in with a one-time password, or send an API key.',
  );
}

function setupKey(username: string): string {
  return `one-time-password-setup:${username}`;
}
