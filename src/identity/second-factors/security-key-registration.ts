import { hash } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { storedDate } from '../keys/api-key-records.ts';
import type { RecentUser } from '../user-store.ts';
import { requireRelyingParty } from './relying-party.ts';
import { CHALLENGE_LIFETIME } from './security-key-challenges.ts';
import { descriptorOf, type SecurityKeyDependencies } from './security-key-login.ts';
import { assertSecurityKeyName, detailsKey, securityKeysOf, storedToken } from './security-key-records.ts';
import { readAttestation, readClientData } from './security-key-responses.ts';
import { webauthn, webauthnHelpers } from './webauthn-library.ts';

const ISSUER = 'Triad';
/** EdDSA, ES256 and RS256 (COSE), which cover the authenticators in use. */
const ALGORITHMS = [-8, -7, -257];
const MAX_KEYS = 20;
/**
 * Forms of attestation that are verified without a certificate authority. We ask for none, so browsers
 * replace the others, whose certificates would have us call the addresses that they name.
 */
const FORMS: ReadonlySet<unknown> = new Set(['none', 'packed', 'fido-u2f']);

/** Registers security keys (WebAuthn section 7.1) and renames them. */
export class SecurityKeyRegistration {
  readonly #dependencies: SecurityKeyDependencies;

  constructor(dependencies: SecurityKeyDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates a challenge for a new key. @throws `security_keys_need_host_name`, `too_many_challenges` */
  async begin(user: RecentUser, address: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { challenges, party } = this.#dependencies;
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: ISSUER,
      rpID: requireRelyingParty(party).id,
      userName: user.uname,
      userDisplayName: user.name,
      // The same for all keys of a user, so that an authenticator keeps one; it does not reveal the name.
      userID: Uint8Array.from(hash('sha256', `security-key-user:${user.uname}`, 'buffer')),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: securityKeysOf(user).map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      timeout: CHALLENGE_LIFETIME,
    });
    await challenges.issue(options.challenge, { username: user.uname, purpose: 'registration' }, address);
    return options;
  }

  /**
   * Stores the key that answers a challenge of `begin`.
   * @throws InvalidInput `invalid_key_name`, `invalid_security_key`, `security_key_exists`, `too_many_security_keys`
   */
  async complete(username: string, name: string, given: unknown): Promise<void> {
    assertSecurityKeyName(name);
    const { users, now } = this.#dependencies;
    const credential = await this.#verify(username, given);
    await retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      if (stored === undefined) throw invalidKey('the user does not exist');
      const keys = securityKeysOf(stored.document);
      if (Object.hasOwn(stored.document.security_tokens ?? {}, name)) {
        throw new InvalidInput('security_key_exists', 'A token with this name already exist', { at: 'name' });
      }
      if (keys.some(({ id }) => id === credential.id)) {
        throw new InvalidInput('security_key_exists', 'This security key is registered for your account already.');
      }
      if (keys.length >= MAX_KEYS) {
        throw new InvalidInput(
          'too_many_security_keys',
          `An account has at most ${MAX_KEYS} security keys. Remove one that you do not use any more.`,
        );
      }
      const { id, publicKey, counter, transports } = credential;
      const details = {
        ...{ counter, creation_date: storedDate(new Date(now())), last_used: undefined },
        ...(transports === undefined ? {} : { transports: [...transports] }),
      };
      await users.update(
        username,
        [
          { op: 'set', path: `security_tokens.${name}`, value: storedToken(id, publicKey) },
          { op: 'set', path: `security_token_details.${detailsKey(id)}`, value: details },
        ],
        { ifVersion: stored.version },
      );
    });
  }

  /** @throws InvalidInput `invalid_key_name`, `security_key_exists`, `security_key_missing` */
  async rename(username: string, name: string, newName: string): Promise<void> {
    assertSecurityKeyName(newName);
    const { users } = this.#dependencies;
    await retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      const tokens = stored?.document.security_tokens ?? {};
      if (stored === undefined || !Object.hasOwn(tokens, name)) throw missingKey(name);
      if (name === newName) return;
      if (Object.hasOwn(tokens, newName)) {
        throw new InvalidInput('security_key_exists', `You have a security key "${newName}" already.`, { at: 'name' });
      }
      const operations = [
        { op: 'set', path: `security_tokens.${newName}`, value: tokens[name] },
        { op: 'remove_at', path: 'security_tokens', key: name },
      ] as const;
      await users.update(username, operations, { ifVersion: stored.version });
    });
  }

  async #verify(username: string, given: unknown) {
    const answer = await readAttestation(given);
    const page = answer && readClientData(answer.response.clientDataJSON);
    if (answer === undefined || page === undefined) throw invalidKey('it is not readable');
    const { challenges, party } = this.#dependencies;
    if (!(await challenges.use(page.challenge, { username, purpose: 'registration' }))) {
      throw invalidKey('its challenge is unknown, expired, or was answered before. Begin the registration again');
    }
    const { id, allows } = requireRelyingParty(party);
    if (!allows(page.origin)) throw invalidKey(`the page ${page.origin} is not a page of this installation`);
    return this.#verifyAttestation(answer, { ...page, id });
  }

  async #verifyAttestation(
    response: RegistrationResponseJSON,
    { challenge, origin, id }: { readonly challenge: string; readonly origin: string; readonly id: string },
  ) {
    const { decodeAttestationObject } = await webauthnHelpers();
    const { verifyRegistrationResponse } = await webauthn();
    try {
      const form = decodeAttestationObject(
        Uint8Array.from(Buffer.from(response.response.attestationObject, 'base64url')),
      ).get('fmt');
      if (!FORMS.has(form)) throw new Error('this form of attestation was not asked for');
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: id,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: false,
      });
      if (!verified) throw new Error('its signature is wrong');
      if (registrationInfo.credential.id !== response.id) throw new Error('it names another identifier than it signed');
      return registrationInfo.credential;
    } catch (error) {
      if (isTriadError(error)) throw error;
      throw invalidKey('its attestation is malformed or wrong', error);
    }
  }
}

export function missingKey(name: string): InvalidInput {
  return new InvalidInput('security_key_missing', `You have no security key ${JSON.stringify(name.slice(0, 64))}.`, {
    at: 'name',
  });
}

function invalidKey(reason: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_security_key', `The answer of the security key cannot be used: ${reason}.`, {
    response: { success: false },
    cause,
  });
}
