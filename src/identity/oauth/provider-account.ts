import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, isConflict, isTriadError, Unavailable } from '../../errors/errors.ts';
import { accessControlQuery, clearanceOf } from '../accounts/read-access.ts';
import { writeAccountEvents } from '../audit/account-events.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import type { IdentityLog } from '../identity-log.ts';
import { notAdmitted } from '../login-refusals.ts';
import { NO_PASSWORD } from '../passwords/passwords.ts';
import { isNameForProviderUser } from '../user-names.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { linkedAccount, type Relation, relationOf, withoutCredentials } from './account-identities.ts';
import type { OAuthProfile } from './oauth-profile.ts';
import type { ProviderSettings } from './provider-client.ts';

export interface ProviderAccountDependencies {
  readonly users: UserStore;
  readonly coordination: Pick<Coordination, 'locks'>;
  readonly engine: ClassificationEngine;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

/** A person whom a provider identifies, with the request. */
interface Person {
  readonly provider: string;
  readonly settings: ProviderSettings;
  /** True if no other provider is configured. */
  readonly isOnlyProvider: boolean;
  readonly profile: OAuthProfile;
  readonly randomName: () => string;
  readonly origin: AuditOrigin;
}

/** An account that belongs to the person, or may be linked to them. */
interface Found {
  readonly user: User;
  readonly relation: Exclude<Relation, 'another_subject' | 'stranger'>;
}

/** Milliseconds that the creation of an account may take, and that another process waits for it. */
const CREATION_LEASE = 30_000;
const CREATION_WAIT = 10_000;
/** Numbered names that are tried before a random one. */
const MAX_NUMBERED_NAMES = 200;

/** The account of one person at one provider, for one request. */
export class ProviderAccount {
  readonly #context: ProviderAccountDependencies & Person;

  constructor(context: ProviderAccountDependencies & Person) {
    this.#context = context;
  }

  /** Finds or creates the account and updates it; throws as `userOf`, and `account_in_the_making`. */
  async user(): Promise<RecentUser> {
    const { provider, profile, log } = this.#context;
    const { admitted, missingGroups, email, identities, username: user } = profile;
    if (!admitted || missingGroups.length > 0 || (email === undefined && identities.length === 0)) {
      const entry = { provider, user, missingGroups, admitted, hasEmail: email !== undefined };
      log.warn(entry, 'a user was refused: the rules of their provider do not admit them');
      throw notAdmitted();
    }
    return (await this.#known()) ?? this.#create();
  }

  async #known(): Promise<RecentUser | undefined> {
    const found = await this.#find();
    return found && this.#bringUpToDate(found);
  }

  /** Finds the account of this identity, else of an address of no other subject: `email_not_verified`. */
  async #find(): Promise<Found | undefined> {
    const { users, log, provider, profile } = this.#context;
    const { identities, unscopedIdentity, email, emailVerified } = profile;
    for (const identity of identities) {
      const user = await users.findByIdentity(identity);
      if (user && this.#relationTo(user) === 'linked') return { user, relation: 'linked' };
    }
    if (unscopedIdentity !== undefined) {
      const user = await users.findByIdentity(unscopedIdentity);
      if (user && this.#relationTo(user) === 'unscoped') return { user, relation: 'unscoped' };
    }
    if (email === undefined) return undefined;
    if (!emailVerified) {
      // A person who may choose any address would get the account of its owner, or create one that the owner finds later.
      log.warn(
        { provider, user: profile.username },
        `a sign-in was refused: the provider has not verified the e-mail address. auth.oauth.providers.${provider}.trust_email takes it as it is`,
      );
      throw new Forbidden(
        'email_not_verified',
        'Your identity provider has not verified your e-mail address. Verify it there, then sign in again.',
      );
    }
    const user = await users.findByEmail(email);
    return user && this.#linkable(user);
  }

  #linkable(user: User): Found | undefined {
    const relation = this.#relationTo(user);
    return relation === 'stranger' || relation === 'another_subject' ? undefined : { user, relation };
  }

  #relationTo(user: User): Relation {
    const { profile, provider, isOnlyProvider } = this.#context;
    return relationOf(user, profile, provider, isOnlyProvider);
  }

  async #create(): Promise<RecentUser> {
    const { users, coordination, audit, log, profile, provider, settings, origin } = this.#context;
    if (profile.email === undefined) throw notAdmitted();
    if (!settings.auto_create) throw new Forbidden('account_missing', 'User auto-creation is disabled');
    const lock = await coordination.locks.acquire(`oauth-account:${profile.email}`, CREATION_LEASE, {
      wait: CREATION_WAIT,
    });
    if (!lock) {
      throw new Unavailable('account_in_the_making', 'Your account is being made right now. Try again in a moment.');
    }
    try {
      // Another request may have created it meanwhile.
      const known = await this.#known();
      if (known) return known;
      const user = await this.#save();
      log.info({ user: user.uname, provider }, `the account ${user.uname} was made at its first sign-in`);
      writeAccountEvents(audit, origin, undefined, user);
      return (await users.recent(user.uname)) ?? user;
    } finally {
      await lock.release();
    }
  }

  /** Stores the account under the proposed name, with a number when it is taken or reserved. */
  async #save(): Promise<User> {
    const { users, engine, profile } = this.#context;
    const { email, ...others } = this.#fields();
    const owner = email && (await users.findByEmail(email));
    if (owner) this.#reportTakenAddress(owner);
    const fields = { ...others, ...(owner ? {} : { email }) };
    for (const uname of this.#possibleNames()) {
      if (!isNameForProviderUser(uname) || (await users.get(uname))) continue;
      const input = { name: uname, ...fields, uname, password: NO_PASSWORD };
      const { document } = this.#readable(() =>
        readDocument(userDocument, input, { unknown: 'refuse', classification: engine }),
      );
      const account = this.#withAccess(linkedAccount(document, profile));
      try {
        await users.create(account);
        return account;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    throw new Unavailable('account_in_the_making', 'No free user name was found for you. Try again.');
  }

  /** An address leads to one account only, so the new account is created without it. */
  #reportTakenAddress({ uname }: User): void {
    const { provider, profile } = this.#context;
    const { identities } = profile;
    this.#context.log.warn(
      { provider, user: uname, identities },
      `the account ${uname} has the address of a new user and another identity at ${provider}. If both are one person, an administrator can set identity_id of ${uname} to "${identities[0]}"`,
    );
  }

  *#possibleNames(): Iterable<string> {
    const { profile, randomName } = this.#context;
    const { username } = profile;
    if (username !== undefined) {
      yield username;
      for (let number = 1; number < MAX_NUMBERED_NAMES; number += 1) yield `${username}${number}`;
    }
    for (let tries = 0; tries < MAX_NUMBERED_NAMES; tries += 1) yield randomName();
  }

  /**
   * Links the account to the person and synchronises it, as the settings say. Decides on the stored
   * state that it replaces, so that of two concurrent persons or tokens each sees the change of the other.
   * @returns undefined when the account was linked to another person meanwhile
   */
  async #bringUpToDate(found: Found): Promise<RecentUser | undefined> {
    const { users, audit, log, provider, profile, settings, origin } = this.#context;
    const { uname } = found.user;
    const isLinked = found.relation === 'linked' && linkedAccount(found.user, profile) === found.user;
    if (isLinked && !settings.auto_sync) return (await users.recent(uname)) ?? found.user;
    return retryOnConflict(async () => {
      const stored = await users.getVersioned(uname);
      const current = stored && this.#linkable(stored.document);
      if (!current) return undefined;
      const { user: before, relation } = current;
      const { account: linked, removed } = this.#linked(current);
      const synchronises = settings.auto_sync && !isOlder(profile, before);
      const after = synchronises ? await this.#synchronised(linked) : linked;
      if (isSameJson(after, before)) return (await users.recent(uname)) ?? after;
      await users.save(after, { ifVersion: stored.version });
      if (relation === 'unlinked' || relation === 'other_provider') {
        log.info({ user: uname, provider, removed }, `the account ${uname} was linked to an identity at ${provider}`);
        audit.write({ ...origin, event: 'account_linked', user: uname, fields: removed });
      }
      writeAccountEvents(audit, origin, linked, after);
      return (await users.recent(uname)) ?? after;
    });
  }

  /** Removes credentials that a previous owner of the address may hold (docs/decisions/0020). */
  #linked({ user, relation }: Found) {
    const { profile, settings } = this.#context;
    const isFirst = relation === 'unlinked' && !settings.link_keeps_credentials;
    const { account, removed } = isFirst ? withoutCredentials(user) : { account: user, removed: [] };
    return { account: linkedAccount(account, profile), removed };
  }

  /** Returns the account with the data of the provider, without a change of its credentials. */
  async #synchronised(before: User): Promise<User> {
    const { engine } = this.#context;
    const { email, ...fields } = this.#fields();
    const changes = { ...fields, ...((await this.#mayTakeAddress(before)) ? { email } : {}) };
    const options = { replaceLists: true, classification: engine };
    return this.#withAccess(this.#readable(() => mergeDocument(userDocument, before, changes, options)));
  }

  /** Computes the filter of searches from the stored address: one of another account grants no group. */
  #withAccess(user: User): User {
    const { engine, log } = this.#context;
    const access = accessControlQuery(engine, clearanceOf(user, engine, log));
    return access === undefined ? user : { ...user, access_control: access };
  }

  /** Returns whether the address is verified and leads to no other account. */
  async #mayTakeAddress(user: User): Promise<boolean> {
    const { email, emailVerified } = this.#context.profile;
    if (email === undefined || email === user.email) return false;
    return emailVerified && (await this.#context.users.findByEmail(email)) === undefined;
  }

  #fields(): Partial<Omit<User, 'uname' | 'password'>> {
    const { email, groups, name, types, analysisTypes, analysisRoles, classification, issuedAt } =
      this.#context.profile;
    return {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ...(analysisTypes === undefined ? {} : { analysis_types: [...analysisTypes] }),
      ...(analysisRoles === undefined ? {} : { roles: [...analysisRoles] }),
      ...(issuedAt === undefined ? {} : { synchronised_at: new Date(issuedAt).toISOString() }),
      type: [...types],
      groups: [...groups],
      classification: this.#context.engine.normalise(classification, { skipAutoSelect: true }),
    };
  }

  /** Refuses a person whose data cannot be stored, such as an address without a domain. */
  #readable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
      const { provider } = this.#context;
      this.#context.log.warn({ provider, err: error }, 'the claims of a user cannot be stored as an account');
      throw notAdmitted();
    }
  }
}

/** Returns whether claims are older than the last synchronisation, as those without a time are. */
function isOlder({ issuedAt }: OAuthProfile, { synchronised_at: last }: User): boolean {
  return Boolean(last) && (issuedAt === undefined || issuedAt < Date.parse(last ?? ''));
}
