import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { InvalidInput, Unauthenticated } from '../../errors/errors.ts';
import type { ListenerName } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import { type SecondFactorKind, type SecondFactorSettings, secondFactorKinds } from '../passwords/required-factors.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import type { OneTimePasswords } from './one-time-passwords.ts';
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts';
import type { SecurityKeyChallenges } from './security-key-challenges.ts';
import type { SecurityKeyLogin } from './security-key-login.ts';

/** The second factor of a login. Empty values count as missing. */
export interface GivenSecondFactor {
  /** One-time password, or recovery code. */
  readonly otp?: string | undefined;
  /** Answer of a security key, as `readAssertion` reads it. */
  readonly webauthn_auth_resp?: unknown;
}

export interface SecondFactorDependencies {
  readonly users: UserStore;
  readonly challenges: SecurityKeyChallenges;
  readonly oneTimePasswords: OneTimePasswords;
  readonly securityKeys: SecurityKeyLogin;
  readonly throttle: Pick<LoginThrottle, 'begin' | 'succeeded' | 'failed' | 'checkUser'>;
  readonly settings: SecondFactorSettings;
  readonly audit: AuditLog;
  readonly service: ListenerName;
}

/** Requires second factors at logins. Safe for concurrent use. */
export class SecondFactors {
  readonly #dependencies: SecondFactorDependencies;

  constructor(dependencies: SecondFactorDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the kinds that a login of this user may bring; empty: none is required. */
  kindsOf(user: RecentUser): readonly SecondFactorKind[] {
    return secondFactorKinds(user, this.#dependencies.settings);
  }

  /**
   * Requires the second factor of users who have one, after the first factor was right. Returns its
   * kind; undefined: none is required. A wrong one counts as a failed login, a missing one does not.
   * @throws Unauthenticated `wrong_one_time_password`, `wrong_security_token`, `locked_out`; Unavailable `passwords_unavailable`
   */
  async verify(user: RecentUser, given: GivenSecondFactor, address: string): Promise<SecondFactorKind | undefined> {
    const { throttle, challenges } = this.#dependencies;
    const kinds = this.kindsOf(user);
    if (kinds.length === 0) return undefined;
    const attempt = { username: user.uname, address };
    if (!isGiven(given)) {
      await this.begin(user, address);
      throw wrongFactor(kinds.includes('security_key'));
    }
    const counts = await throttle.begin(attempt);
    const verified = await this.#verify(user, kinds, given, address);
    if (verified instanceof Unauthenticated) {
      await throttle.failed(address, { username: user.uname, counts });
      await challenges.beginLogin(user.uname, address);
      throw verified;
    }
    await throttle.succeeded(attempt);
    return verified;
  }

  /** Notes that the first factor was right, so that `challenge` answers. @throws `locked_out` */
  async begin({ uname: username }: RecentUser, address: string): Promise<void> {
    const { throttle, challenges } = this.#dependencies;
    await throttle.checkUser({ username, address });
    await challenges.beginLogin(username, address);
  }

  /**
   * Creates the challenge for the security keys of a user in the midst of a login from the same network.
   * @throws InvalidInput `no_login_begun`; Forbidden `security_keys_need_host_name`; TooManyRequests `too_many_challenges`
   */
  async challenge(username: string, address: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { users, challenges, securityKeys } = this.#dependencies;
    const user = await users.recent(username);
    // Before the password was right, nothing tells whether there is such a user, and with which keys.
    const isBegun = user !== undefined && (await challenges.isLoginBegun(username, address));
    if (!isBegun || !this.kindsOf(user).includes('security_key')) {
      throw new InvalidInput(
        'no_login_begun',
        'Log in with the password first: the answer of a security key is asked for after that, within five minutes.',
      );
    }
    return securityKeys.challenge(user, address);
  }

  /** Creates the challenge for the security keys of a user who has a session. @throws as `challenge` */
  async challengeOfSession(username: string, address: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { users, securityKeys } = this.#dependencies;
    const user = await users.recent(username);
    if (user && this.kindsOf(user).includes('security_key')) return securityKeys.challenge(user, address);
    throw new InvalidInput('no_security_key', 'Your account has no security key. Enter your password instead.');
  }

  async #verify(
    user: RecentUser,
    kinds: readonly SecondFactorKind[],
    given: GivenSecondFactor,
    address: string,
  ): Promise<SecondFactorKind | Unauthenticated> {
    const { users, oneTimePasswords, securityKeys, audit, service } = this.#dependencies;
    const { otp, webauthn_auth_resp: answer } = given;
    const hasKeys = kinds.includes('security_key');
    let refusal: Error | undefined;
    if (hasKeys && isPresent(answer)) {
      refusal = await securityKeys.refusalOf(user.uname, answer);
      if (refusal === undefined) return 'security_key';
    }
    if (otp && user.otp_sk && kinds.includes('one_time_password')) {
      if (await oneTimePasswords.use(user.uname, user.otp_sk, otp)) return 'one_time_password';
    }
    if (otp && isRecoveryCode(otp) && (await useRecoveryCode(users, user.uname, otp))) {
      audit.write({ event: 'recovery_code_used', service, user: user.uname, address });
      return 'recovery_code';
    }
    return wrongFactor(hasKeys && (refusal !== undefined || !kinds.includes('one_time_password')), refusal);
  }
}

/** Returns whether a login brings a second factor at all. */
export function isGiven({ otp, webauthn_auth_resp: answer }: GivenSecondFactor): boolean {
  return Boolean(otp) || isPresent(answer);
}

/** Returns false for values that clients of the public system send when there is no answer. */
function isPresent(answer: unknown): boolean {
  return answer !== undefined && answer !== null && answer !== '' && !(Array.isArray(answer) && answer.length === 0);
}

function wrongFactor(isKey: boolean, cause?: Error): Unauthenticated {
  return isKey
    ? new Unauthenticated('wrong_security_token', 'Wrong Security Token', { cause })
    : new Unauthenticated('wrong_one_time_password', 'Wrong OTP token', { cause });
}
