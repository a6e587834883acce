import type { Settings } from '../../config/config-schema.ts';
import { ANALYSIS_ROLES, type AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles, rolesOfKey } from '../accounts/effective-roles.ts';
import type { AnalysisActor } from '../analysis-actors.ts';
import { assertFullScope } from '../credential-scope.ts';
import type { ApiKeyDetails, ApiKeyRecord } from './api-key-records.ts';

/** What of a stored API key says what it allows. */
type KeyRights = Pick<ApiKeyRecord, 'acl'> & Pick<ApiKeyDetails, 'roles'>;

/** Stands for roles that were chosen one by one; such a key has no privileges. */
export const CUSTOM_PRIVILEGE = 'C';

/** What clients may ask for, with the letters in alphabetical order. */
const COMBINATIONS: readonly string[] = ['R', 'RW', 'W', 'E', CUSTOM_PRIVILEGE];
const LETTERS = ['R', 'W', 'E'] as const;

/** Who asks for a key, and what their credential leaves of their rights. */
export type KeyMaker = Pick<AnalysisActor, 'username' | 'roles' | 'privileges' | 'hasFullScope'>;

/**
 * What an API key is to allow: never more than its owner may, nor more than the credential that asks for it where that is the owner's own.
 * @throws InvalidInput `invalid_api_key_privileges`, Forbidden `privilege_not_held`
 */
export function keyRights(
  caller: KeyMaker,
  owner: Readonly<User>,
  input: { readonly priv?: unknown; readonly roles?: unknown },
  settings: Settings['auth'],
): KeyRights {
  const privileges = readPrivileges(input.priv, settings);
  const custom = privileges.includes(CUSTOM_PRIVILEGE);
  const acl = LETTERS.filter((letter) => privileges.includes(letter));
  const wanted = custom ? readRoles(input.roles) : rolesOfKey({ acl });
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
  if (beyond.length > 0) {
    throw new Forbidden(
      'privilege_not_held',
      `The credential that you use does not have ${beyond.join(', ')} itself, so it cannot make a key that has.`,
    );
  }
  return custom ? { acl: [], roles } : { acl };
}

/** Letters as a string or a list, in any order. What is in a list as one text, `["RW"]`, is not a letter and allows nothing. */
function readPrivileges(priv: unknown, { allow_extended_apikeys: extended }: Settings['auth']): readonly unknown[] {
  const given: readonly unknown[] = typeof priv === 'string' ? [...priv] : Array.isArray(priv) ? priv : [];
  const letters = given.toSorted().join('');
  const allowed = COMBINATIONS.filter((one) => one !== 'E' || extended);
  if (allowed.includes(letters)) return given;
  throw new InvalidInput(
    'invalid_api_key_privileges',
    `Invalid APIKey privilege '${letters}'. Choose between: ${allowed.join(', ')}.`,
    { at: 'priv' },
  );
}

/** Names that are no roles allow nothing. */
function readRoles(value: unknown): readonly AnalysisRole[] {
  return Array.isArray(value) ? ANALYSIS_ROLES.filter((role) => value.includes(role)) : [];
}
