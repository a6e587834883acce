import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, isConflict, isTriadError, Unavailable } from '../../errors/errors.ts';
import { accessControlQuery, clearanceOf } from '../accounts/read-access.ts';
import type { ServiceName } from '../actor.ts';
import { writeAccountEvents } from '../audit/account-events.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditOrigin } from '../audit/audit-origin.ts';
import type { IdentityLog } from '../identity-log.ts';
import { notAdmitted } from '../login-refusals.ts';
import { NO_PASSWORD } from '../passwords/passwords.ts';
import { isNameForProviderUser } from '../user-names.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { linkedAccount, type Relation, relationOf, withoutCredentials } from './account-identities.ts';
import { type ClaimDocuments, type OAuthProfile, ProfileReader } from './oauth-profile.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { holderOfToken, type VerifiedToken } from './verified-token.ts';

export interface OAuthAccountsDependencies {
  readonly registry: ProviderRegistry;
  readonly users: UserStore;
  readonly coordination: Pick<Coordination, 'locks'>;
  readonly engine: ClassificationEngine;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

/** Whose account it was when a token was judged. */
type Owner = Readonly<Pick<User, 'uname' | 'email' | 'identity_id'>>;
/** An account that belongs to a person at a provider, or may be linked to them. */
interface Found {
  readonly user: User;
  readonly relation: Exclude<Relation, 'another_subject' | 'stranger'>;
}

/** The request, as far as it is known. */
type AskedFrom = Pick<AuditOrigin, 'address' | 'userAgent' | 'requestId' | 'call'>;

type AccountFields = Partial<Omit<User, 'uname' | 'password'>>;

/** Milliseconds that making an account may take, and that another process waits for it. */
const CREATION_LEASE = 30_000;
const CREATION_WAIT = 10_000;
/** Names of a base that are tried one after the other before a random one is. */
const MAX_NUMBERED_NAMES = 200;
/**
 * The accounts of users whom identity providers vouch for: found by who they are at the provider, else by their e-mail address; made and kept
 * up to date as the settings of the provider say (contract/alert.md section 2.4). Safe for concurrent use: a user gets one account, however
 * many of their requests come at once, in however many processes.
 */
export class OAuthAccounts {
  readonly #dependencies: OAuthAccountsDependencies;
  readonly #readers: ReadonlyMap<string, ProfileReader>;
  /** Accounts of tokens that were judged before. Each goes when the verifier forgets its token. */
  readonly #owners = new WeakMap<VerifiedToken, Owner>();
  readonly #judging = new WeakMap<VerifiedToken, Promise<RecentUser>>();

  /** @throws InvalidInput `invalid_setting`, when the settings of a provider make no sense */
  constructor(dependencies: OAuthAccountsDependencies) {
    this.#dependencies = dependencies;
    const { registry, engine } = dependencies;
    this.#readers = new Map(
      registry
        .all()
        .map(({ name, settings }) => [
          name,
          new ProfileReader({ provider: name, settings, engine, gravatar: registry.settings.gravatar_enabled }),
        ]),
    );
  }

  /** Reads claims of this provider; nothing is requested or stored. */
  profileOf(provider: string, claims: ClaimDocuments): OAuthProfile {
    const reader = this.#readers.get(provider);
    if (!reader) throw new Error(`claims of the provider ${provider}, which is not configured`);
    return reader.read(...claims);
  }

  /**
   * The user of a token. Whether their account is switched on is for the caller to ask: the answer is as of at most a second ago.
   * @param from for the audit log, which has it when an account is made or changed
   * @throws Forbidden `not_admitted`, `account_missing`, `email_not_verified`
   */
  async userOf(verified: VerifiedToken, service: ServiceName, from: AskedFrom): Promise<RecentUser> {
    const owner = this.#owners.get(verified);
    const user = owner && (await this.#dependencies.users.recent(owner.uname));
    // An account that was deleted meanwhile is treated like one that never was, also when somebody else got its name.
    return user && isOf(user, owner) ? user : this.#judge(verified, service, from);
  }

  /** The user of these claims, for a sign-in with more than an access token. @throws as `userOf` */
  async userOfClaims(
    provider: string,
    claims: ClaimDocuments,
    service: ServiceName,
    from: AskedFrom,
  ): Promise<RecentUser> {
    const profile = this.profileOf(provider, claims);
    const origin = originOf({ provider, claims: claims[0] }, service, from);
    this.#refuse(provider, profile);
    const found = await this.#find(provider, profile);
    const user = found && (await this.#bringUpToDate(found, provider, profile, origin));
    return user ?? this.#create(provider, profile, origin);
  }

  /** Whoever signed in with more than this token keeps being that user with it. */
  remember(verified: VerifiedToken, user: RecentUser): void {
    const { uname, email, identity_id } = user;
    this.#owners.set(verified, { uname, email, identity_id });
  }

  /** Requests with the same new token wait for the first of them. */
  #judge(verified: VerifiedToken, service: ServiceName, from: AskedFrom): Promise<RecentUser> {
    const running = this.#judging.get(verified);
    if (running) return running;
    const judged = this.userOfClaims(verified.provider, [verified.claims], service, from)
      .then((user) => {
        this.remember(verified, user);
        return user;
      })
      .finally(() => this.#judging.delete(verified));
    this.#judging.set(verified, judged);
    return judged;
  }

  #settingsOf(provider: string) {
    const settings = this.#dependencies.registry.find(provider)?.settings;
    if (!settings) throw new Error(`claims of the provider ${provider}, which is not configured`);
    return settings;
  }

  #refuse(provider: string, profile: OAuthProfile): void {
    const { admitted, missingGroups, email } = profile;
    if (admitted && missingGroups.length === 0 && (email !== undefined || profile.identities.length > 0)) return;
    this.#dependencies.log.warn(
      { provider, user: profile.username, missingGroups, admitted, hasEmail: email !== undefined },
      'somebody whom a provider knows was refused: the rules of the provider do not admit them',
    );
    throw notAdmitted();
  }

  /**
   * Finds the account that holds an identity of this person, else the one that their verified address leads to, unless it may belong to another
   * subject of the provider.
   * @throws Forbidden `email_not_verified`
   */
  async #find(provider: string, profile: OAuthProfile): Promise<Found | undefined> {
    const { users, log } = this.#dependencies;
    for (const identity of profile.identities) {
      const user = await users.findByIdentity(identity);
      if (user && this.#relationOf(user, provider, profile) === 'linked') return { user, relation: 'linked' };
    }
    if (profile.unscopedIdentity !== undefined) {
      const user = await users.findByIdentity(profile.unscopedIdentity);
      if (user && this.#relationOf(user, provider, profile) === 'unscoped') return { user, relation: 'unscoped' };
    }
    if (profile.email === undefined) return undefined;
    if (!profile.emailVerified) {
      // People who may write any address into their profile would get the account of its owner, or make one for the owner to find.
      log.warn(
        { provider, user: profile.username },
        `a sign-in was refused: the provider has not verified the e-mail address. auth.oauth.providers.${provider}.trust_email takes it as it is`,
      );
      throw new Forbidden(
        'email_not_verified',
        'Your identity provider has not verified your e-mail address. Verify it there, then sign in again.',
      );
    }
    const user = await users.findByEmail(profile.email);
    return user && this.#mayHave(user, provider, profile);
  }

  #mayHave(user: User, provider: string, profile: OAuthProfile): Found | undefined {
    const relation = this.#relationOf(user, provider, profile);
    return relation === 'stranger' || relation === 'another_subject' ? undefined : { user, relation };
  }

  /** The person gets an account without the address, which leads to one account only. */
  #reportTakenAddress({ uname }: User, provider: string, { identities }: OAuthProfile): void {
    this.#dependencies.log.warn(
      { provider, user: uname, identities },
      `the account ${uname} has the address of a new user and another identity at ${provider}. If both are one person, an administrator can set identity_id of ${uname} to "${identities[0]}"`,
    );
  }

  #relationOf(user: User, provider: string, profile: OAuthProfile): Relation {
    return relationOf(user, profile, provider, this.#readers.size === 1);
  }

  async #create(provider: string, profile: OAuthProfile, origin: AuditOrigin): Promise<RecentUser> {
    const { users, coordination, audit, log } = this.#dependencies;
    if (profile.email === undefined) throw notAdmitted();
    if (!this.#settingsOf(provider).auto_create) {
      throw new Forbidden('account_missing', 'User auto-creation is disabled');
    }
    const lock = await coordination.locks.acquire(`oauth-account:${profile.email}`, CREATION_LEASE, {
      wait: CREATION_WAIT,
    });
    if (!lock) {
      throw new Unavailable('account_in_the_making', 'Your account is being made right now. Try again in a moment.');
    }
    try {
      // Another request may have made it meanwhile.
      const existing = await this.#find(provider, profile);
      const linked = existing && (await this.#bringUpToDate(existing, provider, profile, origin));
      if (linked) return linked;
      const user = await this.#save(provider, profile);
      log.info({ user: user.uname, provider }, `the account ${user.uname} was made at its first sign-in`);
      writeAccountEvents(audit, origin, undefined, user);
      return (await users.recent(user.uname)) ?? user;
    } finally {
      await lock.release();
    }
  }

  /** Stores the account under the name that the profile proposes, with a number when it is taken or reserved. */
  async #save(provider: string, profile: OAuthProfile): Promise<User> {
    const { users, engine } = this.#dependencies;
    const { email, ...others } = this.#fieldsOf(profile);
    const owner = email && (await users.findByEmail(email));
    if (owner) this.#reportTakenAddress(owner, provider, profile);
    const fields = { ...others, ...(owner ? {} : { email }), ...issueTime(profile) };
    for (const uname of this.#possibleNames(provider, profile)) {
      if (!isNameForProviderUser(uname) || (await users.get(uname))) continue;
      const { document: unlinked } = this.#readable(provider, () =>
        readDocument(
          userDocument,
          { name: uname, ...fields, uname, password: NO_PASSWORD },
          { unknown: 'refuse', classification: engine },
        ),
      );
      const document = this.#withAccess(linkedAccount(unlinked, profile));
      try {
        await users.create(document);
        return document;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    throw new Unavailable('account_in_the_making', 'No free user name was found for you. Try again.');
  }

  *#possibleNames(provider: string, profile: OAuthProfile): Iterable<string> {
    const reader = this.#readers.get(provider);
    const { username } = profile;
    if (username !== undefined) {
      yield username;
      for (let number = 1; number < MAX_NUMBERED_NAMES; number += 1) yield `${username}${number}`;
    }
    for (let tries = 0; tries < MAX_NUMBERED_NAMES; tries += 1) yield reader?.randomName() ?? '';
  }

  /**
   * Links the account to the person, and synchronises it where the settings of the provider say so. Everything is decided on the stored state that
   * is replaced, so that of two persons, or of two tokens, that come at the same time each sees what the other changed.
   * @returns undefined when the account was given to another person meanwhile
   */
  async #bringUpToDate(
    found: Found,
    provider: string,
    profile: OAuthProfile,
    origin: AuditOrigin,
  ): Promise<RecentUser | undefined> {
    const { users, audit, log } = this.#dependencies;
    const { uname } = found.user;
    const { auto_sync: isSynchronised } = this.#settingsOf(provider);
    const isLinked = found.relation === 'linked' && linkedAccount(found.user, profile) === found.user;
    if (isLinked && !isSynchronised) return (await users.recent(uname)) ?? found.user;
    return retryOnConflict(async () => {
      const stored = await users.getVersioned(uname);
      const current = stored && this.#mayHave(stored.document, provider, profile);
      if (!current) return undefined;
      const before = current.user;
      const { account: linked, removed } = this.#linked(current, provider, profile);
      const after = isSynchronised && !isOlder(profile, before) ? await this.#synchronised(linked, profile) : linked;
      if (isSameJson(after, before)) return (await users.recent(uname)) ?? after;
      await users.save(after, { ifVersion: stored.version });
      if (current.relation === 'unlinked' || current.relation === 'other_provider') {
        log.info({ user: uname, provider, removed }, `the account ${uname} was linked to an identity at ${provider}`);
        audit.write({ ...origin, event: 'account_linked', user: uname, fields: removed });
      }
      writeAccountEvents(audit, origin, linked, after);
      return (await users.recent(uname)) ?? after;
    });
  }

  /** Whoever had the address before must not keep a credential of the account that its owner gets: docs/decisions/0020. */
  #linked({ user, relation }: Found, provider: string, profile: OAuthProfile) {
    const isFirst = relation === 'unlinked' && !this.#settingsOf(provider).link_keeps_credentials;
    const { account, removed } = isFirst ? withoutCredentials(user) : { account: user, removed: [] };
    return { account: linkedAccount(account, profile), removed };
  }

  /** The account as the token says it is. Whether it is switched on, its password and its keys stay as they are. */
  async #synchronised(before: User, profile: OAuthProfile): Promise<User> {
    const { engine } = this.#dependencies;
    const { email, ...fields } = this.#fieldsOf(profile);
    const address = (await this.#mayTakeAddress(before, profile)) ? { email } : {};
    const changes = { ...fields, ...address, ...issueTime(profile) };
    const after = this.#readable(before.uname, () =>
      mergeDocument(userDocument, before, changes, { replaceLists: true, classification: engine }),
    );
    return this.#withAccess(after);
  }

  /** Computes the filter of searches from what is stored, never from claims: an address that was not taken gives no dynamic group. */
  #withAccess(user: User): User {
    const { engine, log } = this.#dependencies;
    const access = accessControlQuery(engine, clearanceOf(user, engine, log));
    return access === undefined ? user : { ...user, access_control: access };
  }

  /** An address leads to an account, so nobody takes one that leads to another, or that nobody has verified. */
  async #mayTakeAddress(user: User, { email, emailVerified }: OAuthProfile): Promise<boolean> {
    if (email === undefined || email === user.email) return false;
    return emailVerified && (await this.#dependencies.users.findByEmail(email)) === undefined;
  }

  #fieldsOf(profile: OAuthProfile): AccountFields {
    const { engine } = this.#dependencies;
    const { email, groups, name, types, analysisTypes, analysisRoles } = profile;
    return {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ...(analysisTypes === undefined ? {} : { analysis_types: [...analysisTypes] }),
      ...(analysisRoles === undefined ? {} : { roles: [...analysisRoles] }),
      type: [...types],
      groups: [...groups],
      classification: engine.normalise(profile.classification, { skipAutoSelect: true }),
    };
  }

  /** What a provider tells may be nothing that can be stored, like an address without a domain. */
  #readable<T>(whose: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
      this.#dependencies.log.warn({ whose, err: error }, 'what a provider tells of somebody makes no account');
      throw notAdmitted();
    }
  }
}

function isOf(user: RecentUser, { email, identity_id }: Owner): boolean {
  return user.email === email && user.identity_id === identity_id;
}

function originOf(
  token: Pick<VerifiedToken, 'provider' | 'claims'>,
  service: ServiceName,
  { address, userAgent, requestId, call }: AskedFrom,
): AuditOrigin {
  return { service, ...holderOfToken(token), address, userAgent, requestId, call };
}

/** A token of which nobody knows when it was issued is older than any that tells. */
function isOlder({ issuedAt }: OAuthProfile, { synchronised_at: last }: User): boolean {
  return Boolean(last) && (issuedAt === undefined || issuedAt < Date.parse(last ?? ''));
}

function issueTime({ issuedAt }: OAuthProfile): Pick<User, 'synchronised_at'> {
  return issuedAt === undefined ? {} : { synchronised_at: new Date(issuedAt).toISOString() };
}
