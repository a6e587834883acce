import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Caller } from '../authenticator.ts';
import type { PasswordLogin } from '../passwords/password-login.ts';
import type { SecondFactorKind } from '../passwords/required-factors.ts';
import { type GivenSecondFactor, isGiven, type SecondFactors } from './second-factors.ts';

/** The state of a login whose first factor was right. */
export type PersonLoginOutcome =
  | {
      readonly outcome: 'verified';
      readonly caller: Caller;
      /** Undefined: the account has no second factor. */
      readonly factor: SecondFactorKind | undefined;
    }
  | {
      readonly outcome: 'second_factor_required';
      /** The kinds that the account has, the safest first. */
      readonly kinds: readonly SecondFactorKind[];
      /** For `navigator.credentials.get`; undefined: the account has no security key. */
      readonly challenge: PublicKeyCredentialRequestOptionsJSON | undefined;
    };

interface PersonLoginDependencies {
  readonly passwords: Pick<PasswordLogin, 'verify'>;
  readonly secondFactors: SecondFactors;
}

/** Logs people in by password and second factor, in one step or two, within the limits of logins. */
export class PersonLogin {
  readonly #dependencies: PersonLoginDependencies;

  constructor(dependencies: PersonLoginDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Verifies a password and the second factor. Without the factor that the account needs, the outcome
   * says which kinds it has, with a challenge for its security keys. @throws as `PasswordLogin.verify`, `SecondFactors.verify`
   */
  async verify(username: string, password: string, given: GivenSecondFactor, address: string) {
    return this.complete(await this.#dependencies.passwords.verify(username, password, address), given, address);
  }

  /** Verifies the second factor of a caller whose first factor was right, as one of a provider. */
  async complete(caller: Caller, given: GivenSecondFactor, address: string): Promise<PersonLoginOutcome> {
    const { secondFactors } = this.#dependencies;
    const kinds = secondFactors.kindsOf(caller.user);
    if (kinds.length === 0 || isGiven(given)) {
      return { outcome: 'verified', caller, factor: await secondFactors.verify(caller.user, given, address) };
    }
    await secondFactors.begin(caller.user, address);
    const challenge = kinds.includes('security_key')
      ? await secondFactors.challenge(caller.user.uname, address)
      : undefined;
    return { outcome: 'second_factor_required', kinds, challenge };
  }
}
