import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { isTriadError, messageOf } from '../../errors/errors.ts';
import { storedDate } from '../keys/api-key-records.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { type RelyingParty, requireRelyingParty } from './relying-party.ts';
import { CHALLENGE_LIFETIME, type SecurityKeyChallenges } from './security-key-challenges.ts';
import { detailsKey, type SecurityKey, securityKeysOf } from './security-key-records.ts';
import { readAssertion, readClientData } from './security-key-responses.ts';
import { webauthn } from './webauthn-library.ts';

export interface SecurityKeyDependencies {
  readonly users: UserStore;
  readonly challenges: SecurityKeyChallenges;
  /** Undefined: the installation has an IP address and no name. */
  readonly party: RelyingParty | undefined;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** Verifies security keys at logins (WebAuthn section 7.2). */
export class SecurityKeyLogin {
  readonly #dependencies: SecurityKeyDependencies;

  constructor(dependencies: SecurityKeyDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a challenge for the keys of a user, in the form that browsers read. It belongs to the user,
   * is answered once, and expires after five minutes. @throws `security_keys_need_host_name`, `too_many_challenges`
   */
  async challenge(user: RecentUser, address: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { challenges, party } = this.#dependencies;
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: requireRelyingParty(party).id,
      allowCredentials: securityKeysOf(user).map(descriptorOf),
      timeout: CHALLENGE_LIFETIME,
    });
    await challenges.issue(options.challenge, { username: user.uname, purpose: 'login' }, address);
    return options;
  }

  /** Verifies the answer to a challenge. Returns the reason of a refusal, for the log; undefined: right. */
  async refusalOf(username: string, given: unknown): Promise<Error | undefined> {
    const answer = await readAssertion(given);
    if (answer === undefined) return new Error('the answer of the security key is not readable');
    try {
      await this.#verify(username, answer);
      return undefined;
    } catch (error) {
      if (isTriadError(error)) throw error;
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  async #verify(username: string, answer: AuthenticationResponseJSON): Promise<void> {
    const { challenges, party, users } = this.#dependencies;
    const page = readClientData(answer.response.clientDataJSON);
    if (page === undefined) throw new Error('the data of the page are not readable');
    if (!(await challenges.use(page.challenge, { username, purpose: 'login' }))) {
      throw new Error('the challenge is unknown, expired, used, or of another user');
    }
    const { id, allows } = requireRelyingParty(party);
    if (!allows(page.origin)) throw new Error(`the page ${page.origin} is not of this installation`);
    const { verifyAuthenticationResponse } = await webauthn();
    // The state now, not that of a second ago: counters decide.
    await retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      const key = stored && securityKeysOf(stored.document).find((one) => one.id === answer.id);
      if (stored === undefined || key === undefined) throw new Error('the user has no such security key');
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: page.challenge,
        expectedOrigin: page.origin,
        expectedRPID: id,
        credential: { id: key.id, publicKey: key.publicKey, counter: Number(key.details?.counter ?? 0) },
        requireUserVerification: false,
      });
      if (!verified) throw new Error('the signature is wrong');
      const use = this.#useOf(key, authenticationInfo.newCounter);
      if (use !== undefined) await users.update(username, [use], { ifVersion: stored.version });
    });
  }

  /** Returns the change that records a use; undefined when there is none to record. */
  #useOf({ id, details }: SecurityKey, counter: number): UpdateOperation | undefined {
    const day = `${new Date(this.#dependencies.now()).toISOString().slice(0, 10)}T00:00:00Z`;
    const last_used = storedDate(new Date(day));
    // Keys without a counter are noted once a day.
    if (counter === 0 && details?.last_used === last_used) return undefined;
    return { op: 'set', path: `security_token_details.${detailsKey(id)}`, value: { ...details, counter, last_used } };
  }
}

/** Returns the entry of a key in options for browsers. */
export function descriptorOf({ id, details }: SecurityKey) {
  const transports = details?.transports;
  return transports === undefined || transports.length === 0 ? { id } : { id, transports };
}
