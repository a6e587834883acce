import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { mergeDocument, readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, isConflict, isTriadError, Unavailable } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { writeAccountEvents } from '../audit/account-events.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditOrigin } from '../audit/audit-origin.ts';
import type { IdentityLog } from '../identity-log.ts';
import { notAdmitted } from '../login-refusals.ts';
import { NO_PASSWORD } from '../passwords.ts';
import { accessControlQuery } from '../read-access.ts';
import { isNameForProviderUser } from '../user-names.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { type Claims, type OAuthProfile, ProfileReader } from './oauth-profile.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import type { VerifiedToken } from './verified-token.ts';

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
/** Which request it was, as far as it is known. */
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

  /** What claims of this provider say of somebody; nothing is asked or stored. */
  profileOf(provider: string, claims: Claims): OAuthProfile {
    const reader = this.#readers.get(provider);
    if (!reader) throw new Error(`claims of the provider ${provider}, which is not configured`);
    return reader.read(claims);
  }

  /**
   * The user of a token. Whether their account is switched on is for the caller to ask: the answer is as of at most a second ago.
   * @param from for the audit log, which has it when an account is made or changed
   * @throws Forbidden `not_admitted`, `account_missing`, `email_not_verified`
   */
  async userOf(verified: VerifiedToken, service: ServiceName, from: AskedFrom = {}): Promise<RecentUser> {
    const owner = this.#owners.get(verified);
    const user = owner && (await this.#dependencies.users.recent(owner.uname));
    // An account that was deleted meanwhile is treated like one that never was, also when somebody else got its name.
    return user && isOf(user, owner) ? user : this.#judge(verified, service, from);
  }

  /** The user of these claims, for whoever signs in with more than an access token. @throws as `userOf` */
  async userOfClaims(
    provider: string,
    claims: Claims,
    service: ServiceName,
    from: AskedFrom = {},
  ): Promise<RecentUser> {
    const origin = originOf(provider, service, from);
    const profile = this.profileOf(provider, claims);
    this.#refuse(provider, profile);
    const found = await this.#find(provider, profile);
    if (!found) return this.#create(provider, profile, origin);
    if (this.#settingsOf(provider).auto_sync) return this.#synchronise(found.uname, profile, origin);
    return (await this.#dependencies.users.recent(found.uname)) ?? found;
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
    const judged = this.userOfClaims(verified.provider, verified.claims, service, from)
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

  async #find(provider: string, profile: OAuthProfile): Promise<User | undefined> {
    const { users } = this.#dependencies;
    for (const identity of profile.identities) {
      const user = await users.findByIdentity(identity);
      if (user) return user;
    }
    if (profile.email === undefined) return undefined;
    if (profile.emailVerified) {
      const user = await users.findByEmail(profile.email);
      if (!user || profile.emailVouched || !this.#isOfAnotherProvider(user, provider)) return user;
    }
    // Whoever may write any address into their profile at the provider would get the account of its owner, or leave one for them to find.
    this.#dependencies.log.warn(
      { provider, user: profile.username },
      `a sign-in was refused: the provider has not verified the e-mail address. auth.oauth.providers.${provider}.trust_email takes it as it is`,
    );
    throw new Forbidden(
      'email_not_verified',
      'Your identity provider has not verified your e-mail address. Verify it there, then sign in again.',
    );
  }

  /** Whether somebody at another provider may have this account: then more is needed than that nobody says that the address is not verified. */
  #isOfAnotherProvider({ identity_id: identity }: User, provider: string): boolean {
    return Boolean(identity) && this.#readers.size > 1 && !identity?.startsWith(`${provider}:`);
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
      // Somebody else may have made it meanwhile.
      const existing = await this.#find(provider, profile);
      if (existing) return existing;
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
    const fields = this.#fieldsOf(profile);
    for (const uname of this.#possibleNames(provider, profile)) {
      if (!isNameForProviderUser(uname) || (await users.get(uname))) continue;
      const { document } = this.#readable(provider, () =>
        readDocument(
          userDocument,
          { name: uname, ...fields, uname, password: NO_PASSWORD },
          { unknown: 'refuse', classification: engine },
        ),
      );
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

  /** The account as the token says it is. Whether it is switched on, its password and its keys stay as they are. */
  #synchronise(username: string, profile: OAuthProfile, origin: AuditOrigin): Promise<RecentUser> {
    const { users, engine, audit, log } = this.#dependencies;
    return retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      if (!stored) throw notAdmitted();
      const before = stored.document;
      const fields = this.#fieldsOf(profile);
      if (before.identity_id) delete fields.identity_id;
      if (!(await this.#mayTakeAddress(before, profile))) delete fields.email;
      const after = this.#readable(profile.identities[0] ?? username, () =>
        mergeDocument(userDocument, before, fields, { replaceLists: true, classification: engine }),
      );
      if (JSON.stringify(after) === JSON.stringify(before)) return (await users.recent(username)) ?? after;
      await users.save(after, { ifVersion: stored.version });
      log.info({ user: username }, `the account ${username} was brought up to date with what its provider says`);
      writeAccountEvents(audit, origin, before, after);
      return (await users.recent(username)) ?? after;
    });
  }

  /** An address leads to an account, so nobody takes one that leads to another, or that nobody has verified. */
  async #mayTakeAddress(user: User, { email, emailVerified }: OAuthProfile): Promise<boolean> {
    if (email === undefined || email === user.email) return true;
    return emailVerified && (await this.#dependencies.users.findByEmail(email)) === undefined;
  }

  #fieldsOf(profile: OAuthProfile): AccountFields {
    const { engine } = this.#dependencies;
    const { email, groups, name, types, analysisTypes, analysisRoles } = profile;
    const classification = engine.normalise(profile.classification, { skipAutoSelect: true });
    const cleared = engine.withDynamicGroups(classification, { email, groups });
    const access = accessControlQuery(engine, cleared);
    const [identity] = profile.identities;
    return {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ...(identity === undefined ? {} : { identity_id: identity }),
      ...(access === undefined ? {} : { access_control: access }),
      ...(analysisTypes === undefined ? {} : { analysis_types: [...analysisTypes] }),
      ...(analysisRoles === undefined ? {} : { roles: [...analysisRoles] }),
      type: [...types],
      groups: [...groups],
      classification,
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
  provider: string,
  service: ServiceName,
  { address, userAgent, requestId, call }: AskedFrom,
): AuditOrigin {
  return { service, provider, address, userAgent, requestId, call };
}
