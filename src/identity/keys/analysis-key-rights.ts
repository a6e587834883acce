import type { Settings } from '../../config/config-schema.ts';
import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import type { User } from '../../documents/kinds/user.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles, rolesOfKey } from '../accounts/effective-roles.ts';
import type { AnalysisActor } from '../actor-factory.ts';
import { assertFullScope } from '../credential-scope.ts';
import { assertNoneBeyond } from './api-key-changes.ts';
import type { ApiKeyDetails, ApiKeyRecord } from './api-key-records.ts';

/** The input for a new or changed key, by the names of contract/analysis.md section 2.2. */
export interface AnalysisKeyInput {
  readonly key_name?: string;
  /** `R`, `RW`, `W`, `E`, or `C` for the roles below; as a string or a list of letters. */
  readonly priv?: string | readonly string[];
  readonly roles?: readonly string[];
  /** ISO 8601; null: never. */
  readonly expiry_ts?: string | null;
  /** Default: the caller. */
  readonly uname?: string;
}

/** The fields of a stored API key that say what it allows. */
type KeyRights = Pick<ApiKeyRecord, 'acl'> & Pick<ApiKeyDetails, 'roles'>;

/** Represents roles that were chosen one by one; such a key has no privileges. */
export const CUSTOM_PRIVILEGE = 'C';

/** Privileges that clients may request, with the letters in alphabetical order. */
const COMBINATIONS: readonly string[] = ['R', 'RW', 'W', 'E', CUSTOM_PRIVILEGE];
const LETTERS = ['R', 'W', 'E'] as const;

/** The caller who requests a key, with the rights that their credential leaves. */
export type KeyMaker = Pick<AnalysisActor, 'username' | 'roles' | 'privileges' | 'hasFullScope'>;

/**
 * Returns what an API key will allow: at most the rights of its owner, and of the owner's credential.
 * @throws InvalidInput `invalid_api_key_privileges`, Forbidden `privilege_not_held`
 */
export function keyRights(
  caller: KeyMaker,
  owner: Readonly<User>,
  input: Pick<AnalysisKeyInput, 'priv' | 'roles'>,
  settings: Settings['auth'],
): KeyRights {
  const privileges = readPrivileges(input.priv, settings);
  const custom = privileges.includes(CUSTOM_PRIVILEGE);
  const acl = LETTERS.filter((letter) => privileges.includes(letter));
  const wanted = custom ? ANALYSIS_ROLES.filter((role) => input.roles?.includes(role)) : rolesOfKey({ acl });
  const roles = effectiveRoles(owner).filter((role) => wanted.includes(role));
  if (roles.length === 0) {
    throw new InvalidInput(
      'invalid_api_key_privileges',
      "None of the roles you've requested for this key are allowed for this user.",
      { at: 'roles' },
    );
  }
  // Keys of others are for credentials of full scope, which could set the password of that user as well.
  if (caller.username !== owner.uname) assertFullScope(caller, 'make keys of others');
  // Letters open the alert service too, so who has the roles that a letter stands for does not have the letter.
  const isOwn = caller.username === owner.uname;
  const beyond = isOwn
    ? [...acl.filter((letter) => !caller.privileges.has(letter)), ...roles.filter((role) => !caller.roles.has(role))]
    : [];
  assertNoneBeyond(beyond);
  return custom ? { acl: [], roles } : { acl };
}

/** Reads letters in any order. Several letters as one item of a list, `["RW"]`, allow nothing. */
function readPrivileges(
  priv: AnalysisKeyInput['priv'] = '',
  { allow_extended_apikeys: extended }: Settings['auth'],
): readonly string[] {
  const given = [...priv];
  const letters = given.toSorted().join('');
  const allowed = COMBINATIONS.filter((one) => one !== 'E' || extended);
  if (allowed.includes(letters)) return given;
  throw new InvalidInput(
    'invalid_api_key_privileges',
    `Invalid APIKey privilege '${letters}'. Choose between: ${allowed.join(', ')}.`,
    { at: 'priv' },
  );
}
