import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { UserStore } from '../user-store.ts';
import type { OneTimePasswords } from './one-time-passwords.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { securityKeysOf } from './security-key-records.ts';
import { missingKey, type SecurityKeyRegistration } from './security-key-registration.ts';

interface SecondFactorAccountDependencies {
  readonly users: UserStore;
  readonly oneTimePasswords: OneTimePasswords;
  readonly registration: SecurityKeyRegistration;
  readonly throttle: Pick<LoginThrottle, 'checkAddress' | 'failed'>;
  readonly audit: AuditLog;
}

/** Fields of an account that hold second factors, and those of them that are factors by themselves. */
const FIELDS = ['otp_sk', 'security_tokens', 'recovery_codes'] as const;
const FACTORS = ['otp_sk', 'security_tokens'] as const;

type Origin = AuditOrigin & { readonly address?: string | undefined };

/** Lists, adds and removes the second factors of accounts. Every change is audited. */
export class SecondFactorAccounts {
  readonly #dependencies: SecondFactorAccountDependencies;

  constructor(dependencies: SecondFactorAccountDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the second factors of a user without secrets. @throws NotFound `document_missing` */
  async list(username: string) {
    const user = await this.#read(username);
    return {
      one_time_passwords: Boolean(user.otp_sk),
      security_keys: securityKeysOf(user).map(({ name, details }) => ({
        name,
        created: details?.creation_date ?? null,
        last_used: details?.last_used ?? null,
      })),
      recovery_codes: user.recovery_codes?.length ?? 0,
    };
  }

  /** Begins to set up one-time passwords, as `OneTimePasswords.begin`. */
  beginOneTimePasswords(username: string) {
    return this.#dependencies.oneTimePasswords.begin(username);
  }

  /** @throws InvalidInput `wrong_one_time_password` */
  async confirmOneTimePasswords(username: string, code: string, origin: Origin): Promise<void> {
    await this.#dependencies.oneTimePasswords.confirm(username, code);
    this.#audit(username, origin, ['otp_sk']);
  }

  /** Creates the challenge for a new security key, as `SecurityKeyRegistration.begin`. */
  async beginSecurityKey(username: string, address: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.#dependencies.registration.begin(await this.#read(username), address);
  }

  /** Stores a new key, as `SecurityKeyRegistration.complete`. Refused ones count as failed logins. */
  async addSecurityKey(username: string, name: string, answer: unknown, origin: Origin): Promise<void> {
    const { registration, throttle } = this.#dependencies;
    const { address = '' } = origin;
    await throttle.checkAddress(address);
    try {
      await registration.complete(username, name, answer);
    } catch (error) {
      if (isTriadError(error) && error.code === 'invalid_security_key') await throttle.failed(address);
      throw error;
    }
    this.#audit(username, origin, ['security_tokens']);
  }

  /** Renames a security key, as `SecurityKeyRegistration.rename`. */
  async renameSecurityKey(username: string, name: string, newName: string, origin: Origin): Promise<void> {
    await this.#dependencies.registration.rename(username, name, newName);
    this.#audit(username, origin, ['security_tokens']);
  }

  /** Removes a key, and with the last second factor the recovery codes. @throws `security_key_missing` */
  async removeSecurityKey(username: string, name: string, origin: Origin): Promise<void> {
    await this.#remove(username, origin, 'security_tokens', (user) => {
      if (!Object.hasOwn(user.security_tokens ?? {}, name)) throw missingKey(name);
      const { [name]: _removed, ...security_tokens } = user.security_tokens ?? {};
      return {
        operations: [{ op: 'remove_at', path: 'security_tokens', key: name }],
        left: { ...user, security_tokens },
      };
    });
  }

  /** Removes one-time passwords alone, and with the last second factor the recovery codes. */
  async removeOneTimePasswords(username: string, origin: Origin): Promise<void> {
    await this.#remove(username, origin, 'otp_sk', ({ otp_sk: _removed, ...left }) => ({
      operations: [{ op: 'unset', path: 'otp_sk' }],
      left,
    }));
  }

  /** Removes every second factor and the recovery codes. @throws NotFound `document_missing` */
  async removeAll(username: string, origin: Origin): Promise<void> {
    const { users } = this.#dependencies;
    const user = await users.get(username);
    const held = FIELDS.filter((field) => hasEntries(user?.[field]));
    const fields = [...FIELDS, 'security_token_details'] as const;
    await users.update(
      username,
      fields.map((path) => ({ op: 'unset', path }) as const),
    );
    this.#audit(username, origin, held.length > 0 ? held : ['otp_sk']);
  }

  /** Creates recovery codes for an account that has a second factor and no codes yet; else undefined. */
  firstRecoveryCodes(username: string, origin: Origin): Promise<readonly string[] | undefined> {
    return this.#newRecoveryCodes(username, origin, (user) => hasFactor(user) && !hasEntries(user.recovery_codes));
  }

  /** Replaces the recovery codes by ten new ones, which are returned once. @throws `no_second_factor` */
  async renewRecoveryCodes(username: string, origin: Origin): Promise<readonly string[]> {
    const codes = await this.#newRecoveryCodes(username, origin, hasFactor);
    if (codes !== undefined) return codes;
    throw new InvalidInput(
      'no_second_factor',
      'Recovery codes stand in for a second factor, and this account has none. Add one first.',
    );
  }

  /** Stores new recovery codes, if they are wanted for the account as it is now. */
  async #newRecoveryCodes(
    username: string,
    origin: Origin,
    isWanted: (user: User) => boolean,
  ): Promise<readonly string[] | undefined> {
    const { codes, digests } = newRecoveryCodes();
    const { users } = this.#dependencies;
    const isStored = await retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      if (stored === undefined || !isWanted(stored.document)) return false;
      const operation = { op: 'set', path: 'recovery_codes', value: digests } as const;
      await users.update(username, [operation], { ifVersion: stored.version });
      return true;
    });
    if (!isStored) return undefined;
    this.#audit(username, origin, ['recovery_codes']);
    return codes;
  }

  async #remove(
    username: string,
    origin: Origin,
    field: string,
    change: (user: User) => { readonly operations: readonly UpdateOperation[]; readonly left: User },
  ): Promise<void> {
    const { users } = this.#dependencies;
    await retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      if (stored === undefined) throw missingUser(username);
      const { operations, left } = change(stored.document);
      const codes = hasFactor(left) ? [] : [{ op: 'unset', path: 'recovery_codes' } as const];
      await users.update(username, [...operations, ...codes], { ifVersion: stored.version });
    });
    this.#audit(username, origin, [field]);
  }

  async #read(username: string): Promise<User> {
    const user = await this.#dependencies.users.get(username);
    if (user === undefined) throw missingUser(username);
    return user;
  }

  #audit(user: string, origin: Origin, fields: readonly string[]): void {
    this.#dependencies.audit.write({ ...origin, event: 'user_changed', user, fields });
  }
}

/** Returns the refusal to change the second factors of the caller in a session that was not proved. */
export function accountPageRequired(): Forbidden {
  return new Forbidden(
    'account_page_required',
    'In a session of the web interface, your own second factors are changed at /session/second-factors.',
  );
}

function hasFactor(user: User): boolean {
  return FACTORS.some((field) => hasEntries(user[field]));
}

function hasEntries(value: string | object | null | undefined): boolean {
  return typeof value === 'string' ? value !== '' : Object.keys(value ?? {}).length > 0;
}

function missingUser(username: string): NotFound {
  return new NotFound('document_missing', `There is no user ${JSON.stringify(username)}.`);
}
