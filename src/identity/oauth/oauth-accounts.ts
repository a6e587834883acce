import type { User } from '../../documents/kinds/user.ts';
import type { ServiceName } from '../actor.ts';
import type { AuditOrigin } from '../audit/audit-log.ts';
import type { RecentUser } from '../user-store.ts';
import type { ClaimDocuments } from './claim-values.ts';
import { type OAuthProfile, ProfileReader } from './oauth-profile.ts';
import { ProviderAccount, type ProviderAccountDependencies } from './provider-account.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { holderOfToken, type VerifiedToken } from './verified-token.ts';

interface OAuthAccountsDependencies extends ProviderAccountDependencies {
  readonly registry: ProviderRegistry;
}

/** The account of a token when it was judged. */
type Owner = Readonly<Pick<User, 'uname' | 'email' | 'identity_id'>>;

/** The request, as far as it is known. */
type AskedFrom = Pick<AuditOrigin, 'address' | 'userAgent' | 'requestId' | 'call'>;

/**
 * Finds, creates and synchronises the accounts of users whom providers identify, as the settings say
 * (contract/alert.md section 2.4). Safe for concurrent use: one account for a new user, also in several processes.
 */
export class OAuthAccounts {
  readonly #dependencies: OAuthAccountsDependencies;
  readonly #readers: ReadonlyMap<string, ProfileReader>;
  /** Accounts of judged tokens. Each entry goes with the token that the verifier remembers. */
  readonly #owners = new WeakMap<VerifiedToken, Owner>();
  readonly #judging = new WeakMap<VerifiedToken, Promise<RecentUser>>();

  /** @throws InvalidInput `invalid_setting` */
  constructor(dependencies: OAuthAccountsDependencies) {
    this.#dependencies = dependencies;
    const { registry, engine } = dependencies;
    const { gravatar_enabled: gravatar } = registry.settings;
    const readers = registry
      .all()
      .map(({ name, settings }) => [name, new ProfileReader({ provider: name, settings, engine, gravatar })] as const);
    this.#readers = new Map(readers);
  }

  /** Reads claims of this provider, without requests or changes. */
  profileOf(provider: string, claims: ClaimDocuments): OAuthProfile {
    return this.#reader(provider).read(...claims);
  }

  /**
   * Returns the user of a token as of at most a second ago; the caller rejects disabled accounts.
   * @throws Forbidden `not_admitted`, `account_missing`, `email_not_verified`
   */
  async userOf(verified: VerifiedToken, service: ServiceName, from: AskedFrom): Promise<RecentUser> {
    const owner = this.#owners.get(verified);
    const user = owner && (await this.#dependencies.users.recent(owner.uname));
    // The account may have been deleted meanwhile, and another user may have its name.
    const isSame = user !== undefined && user.email === owner?.email && user.identity_id === owner?.identity_id;
    return isSame ? user : this.#judge(verified, service, from);
  }

  /** Returns the user of the claims of a login that has more than an access token. @throws as `userOf` */
  async userOfClaims(
    provider: string,
    claims: ClaimDocuments,
    service: ServiceName,
    from: AskedFrom,
  ): Promise<RecentUser> {
    const { address, userAgent, requestId, call } = from;
    const holder = holderOfToken({ provider, claims: claims[0] });
    const reader = this.#reader(provider);
    const account = new ProviderAccount({
      ...this.#dependencies,
      provider,
      settings: reader.settings,
      isOnlyProvider: this.#readers.size === 1,
      profile: reader.read(...claims),
      randomName: () => reader.randomName(),
      origin: { service, ...holder, address, userAgent, requestId, call },
    });
    return account.user();
  }

  /** Remembers the user of a token who signed in with more than the token. */
  remember(verified: VerifiedToken, { uname, email, identity_id }: RecentUser): void {
    this.#owners.set(verified, { uname, email, identity_id });
  }

  /** Judges a new token; concurrent requests with it wait for the first. */
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

  #reader(provider: string): ProfileReader {
    const reader = this.#readers.get(provider);
    if (reader === undefined) throw new Error(`claims of the provider ${provider}, which is not configured`);
    return reader;
  }
}
