import type { User } from '../../documents/kinds/user.ts';
import { NO_PASSWORD } from '../passwords/passwords.ts';
import type { OAuthProfile } from './oauth-profile.ts';

type Linked = Pick<User, 'identity_id' | 'further_identities' | 'email'>;
type Person = Pick<OAuthProfile, 'identities' | 'unscopedIdentity' | 'email' | 'emailVerified'>;

/**
 * The relation of an account to a person at a provider.
 * - `linked`: the account holds an identity of the person at this provider.
 * - `unscoped`: it holds one that an earlier version stored without the provider.
 * - `unlinked`: it has the verified address and no identity.
 * - `other_provider`: it has the verified address and identities at other providers only.
 * - `another_subject`: it has the verified address and may belong to another person at this provider.
 * - `stranger`: it has neither identity nor verified address of the person.
 */
export type Relation = 'linked' | 'unscoped' | 'unlinked' | 'other_provider' | 'another_subject' | 'stranger';

/** Credentials of an account other than its password. */
const CREDENTIAL_FIELDS = ['apikeys', 'apps', 'otp_sk', 'security_tokens', 'recovery_codes'] as const;

/** Returns all identities of an account. */
function identitiesOf({ identity_id, further_identities }: Linked): readonly string[] {
  return [...(identity_id ? [identity_id] : []), ...(further_identities ?? [])];
}

/** Relates an account to a person. `isOnlyProvider`: an identity without a provider can only be its. */
export function relationOf(account: Linked, person: Person, provider: string, isOnlyProvider: boolean): Relation {
  const { identities, unscopedIdentity, email, emailVerified } = person;
  const stored = identitiesOf(account);
  const sharesAddress = emailVerified && email !== undefined && email === account.email;
  // The first kind that both have decides: some providers give the subject of one person to another one later.
  const decisive = identities.find((identity) => stored.some((one) => kindOf(one) === kindOf(identity)));
  if (decisive !== undefined && stored.includes(decisive)) return 'linked';
  if (decisive === undefined && unscopedIdentity !== undefined && stored.includes(unscopedIdentity)) {
    if (isOnlyProvider || sharesAddress) return 'unscoped';
  }
  if (!sharesAddress) return 'stranger';
  if (stored.length === 0) return 'unlinked';
  return stored.some((one) => !isScoped(one) || providerOf(one) === provider) ? 'another_subject' : 'other_provider';
}

/** Adds the identities of a person to their account: one of each kind that it does not have yet. */
export function linkedAccount<T extends Linked>(account: T, { identities, unscopedIdentity }: Person): T {
  const kept = identitiesOf(account).filter((one) => one !== unscopedIdentity);
  const kinds = new Set(kept.map(kindOf));
  const added = identities.filter((one) => !kinds.has(kindOf(one)));
  if (added.length === 0 && kept.length === identitiesOf(account).length) return account;
  const [identity_id, ...further_identities] = [...kept, ...added];
  return {
    ...account,
    ...(identity_id === undefined ? {} : { identity_id }),
    ...(further_identities.length === 0 ? {} : { further_identities }),
  };
}

/** Returns the account without credentials, and their names. The linked identity ends its sessions. */
export function withoutCredentials(account: User): { readonly account: User; readonly removed: readonly string[] } {
  const held = CREDENTIAL_FIELDS.filter((name) => Object.keys(account[name] ?? {}).length > 0);
  const { key_details, apps, otp_sk, security_tokens, security_token_details, recovery_codes, ...rest } = account;
  const removed = account.password === NO_PASSWORD ? held : ['password', ...held];
  return { account: { ...rest, apikeys: {}, password: NO_PASSWORD }, removed };
}

/** Returns false for identities of a claim, which earlier versions stored without the provider. */
function isScoped(identity: string): boolean {
  return identity.includes(':');
}

/** Returns `main` for `main:1`, and `main/oid` for `main/oid:f00`. */
function kindOf(identity: string): string {
  return isScoped(identity) ? identity.slice(0, identity.indexOf(':')) : '';
}

function providerOf(identity: string): string | undefined {
  return kindOf(identity).split('/')[0];
}
