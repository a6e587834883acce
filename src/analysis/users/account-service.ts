import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import { ANALYSIS_USER_TYPES, type User, userDocument } from '../../documents/kinds/user.ts';
import { isSameSet } from '../../documents/schema/plain-objects.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import {
  ANALYSIS_TYPES,
  type AnalysisType,
  analysisTypesOf,
  effectiveRoles,
  ROLES_OF_TYPE,
} from '../../identity/accounts/effective-roles.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AuditOrigin } from '../../identity/audit/audit-log.ts';
import {
  type AccountEditor,
  assertMayAdministerField,
  assertMayChangeAccount,
} from '../../identity/credential-scope.ts';

interface AccountServiceDependencies {
  readonly accounts: Pick<UserAccounts, 'create' | 'change'>;
  /** Engine of this service, which may distinguish fewer classifications than are stored. */
  readonly classification: ClassificationEngine;
  readonly storedClassification: ClassificationEngine;
  readonly settings: Pick<Config['analysis'], 'ui'>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are equal on all services. */
const PLAIN_FIELDS =
  'agrees_with_tos can_impersonate classification dn email identity_id is_active name organization'.split(' ');
/** Fields that every account has: null does not change them. */
const NEVER_UNSET: ReadonlySet<string> = new Set(['name', 'classification', 'is_active']);
/** Fields that return to the default of the installation when they are missing or equal to it. */
const QUOTAS = {
  api_daily_quota: 'daily_api_calls',
  submission_quota: 'concurrent_submissions',
  submission_async_quota: 'concurrent_async_submissions',
  submission_daily_quota: 'daily_submissions',
} as const;
const QUOTA_NAMES: ReadonlySet<string> = new Set(['api_quota', ...Object.keys(QUOTAS)]);
/** Fields that users may change of themselves. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['name', 'password']);

/** Manages accounts (contract/analysis.md section 2.4); fields that only the alert service knows stay. */
export class AccountService {
  readonly #dependencies: AccountServiceDependencies;

  constructor(dependencies: AccountServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an account with the password `new_pass`, by default of the type `user`; throws
   * `invalid_user`, `invalid_username`, `user_exists`, `weak_password`, `invalid_classification`, `invalid_document`.
   */
  async create(username: string, input: Fields, origin: AuditOrigin): Promise<User> {
    const { name, new_pass, ...fields } = input;
    const types = typesOf(fields.type ?? ['user']);
    const more = {
      ...plainFields(fields),
      ...this.#quotas(fields),
      groups: groupsOf(fields.groups ?? []),
      type: sharedTypes(types),
      analysis_types: ownTypes(types),
      roles: chosenRoles(fields.roles, types),
    };
    return this.#dependencies.accounts.create(username, { name, new_pass }, origin, onlySet(more) as Partial<User>);
  }

  /**
   * Changes name and password, as administrator all fields; missing ones stay, but quotas return to
   * their defaults. Throws `user_missing`, `not_own_field`, and as `assertMayChangeAccount` and `create`.
   */
  async change(actor: AccountEditor, username: string, input: Fields, origin: AuditOrigin): Promise<User> {
    assertMayChangeAccount(actor, username, Boolean(input.new_pass));
    if (input.name === '' || input.name === null) {
      throw new InvalidInput('invalid_user', 'Full name of the user cannot be empty', { at: 'name' });
    }
    if (input.uname !== undefined && input.uname !== username) {
      throw new InvalidInput('invalid_user', 'You are not allowed to change the username.', { at: 'uname' });
    }
    return this.#dependencies.accounts.change(username, origin, input.new_pass, (stored) => {
      const changed = this.#changed(stored, input);
      if (!(actor.isAdmin && actor.hasFullScope)) assertOwnFields(actor, stored, changed, input);
      return changed;
    });
  }

  #changed(stored: User, input: Fields): User {
    const { storedClassification: classification } = this.#dependencies;
    const types = input.type === undefined ? analysisTypesOf(stored) : typesOf(input.type);
    const changes: Fields = {
      ...plainFields(input),
      ...this.#classificationOf(stored, input.classification),
      ...(input.groups === undefined ? {} : { groups: groupsOf(input.groups, stored.groups) }),
      ...this.#quotas(input),
      type: [...stored.type.filter((type) => type !== 'admin' && type !== 'user'), ...sharedTypes(types)],
      analysis_types: ownTypes(types),
      roles: input.roles === undefined ? (stored.roles ?? []) : chosenRoles(input.roles, types, stored),
    };
    const kept = Object.fromEntries(
      Object.entries(stored).filter(([name]) => changes[name] !== null),
    ) as unknown as User;
    const merged = mergeDocument(userDocument, kept, onlySet(changes), { replaceLists: true, classification });
    const changed = isSameSet(merged.type, stored.type) ? { ...merged, type: stored.type } : merged;
    if (isSame(changed.identity_id, stored.identity_id)) return changed;
    // Another identity is another person, who has no identities at other providers.
    const { further_identities: _ofThePrevious, ...reassigned } = changed;
    return reassigned;
  }

  /** Keeps a stored classification that this service does not distinguish from the given one. */
  #classificationOf(stored: User, given: unknown): Fields {
    const { classification: engine } = this.#dependencies;
    if (typeof given !== 'string') return {};
    const same = engine.normalise(given) === engine.normalise(stored.classification);
    return { classification: same ? stored.classification : given };
  }

  #quotas(input: Fields): Fields {
    const { default_quotas: defaults } = this.#dependencies.settings.ui;
    const others = Object.entries(QUOTAS).map(([name, setting]) => {
      const quota = input[name] ?? null;
      return [name, quota === defaults[setting] ? null : quota];
    });
    return { api_quota: input.api_quota ?? defaults.concurrent_api_calls, ...Object.fromEntries(others) };
  }
}

/** Returns the sent fields, and null for fields to unset. */
function plainFields(input: Fields): Fields {
  const sent = PLAIN_FIELDS.filter((name) => isSet(input[name]) || (input[name] === null && !NEVER_UNSET.has(name)));
  return Object.fromEntries(sent.map((name) => [name, isAbsent(name, input[name]) ? null : input[name]]));
}

/** Returns whether a value stands for an absent one: an empty string, or a permission that is false. */
function isAbsent(name: string, value: unknown): boolean {
  return value === '' || (name === 'can_impersonate' && value === false);
}

/** Returns groups in upper case; a stored group keeps its case. */
function groupsOf(given: unknown, stored: readonly string[] = []): unknown {
  if (!Array.isArray(given)) return given;
  const names = given.map((group: unknown) => (typeof group === 'string' ? group.toUpperCase() : group));
  return names.map((name) => stored.find((one) => one.toUpperCase() === name) ?? name);
}

/** @throws InvalidInput `invalid_user` */
function typesOf(given: unknown): readonly AnalysisType[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const unknown = list.find((type) => !(ANALYSIS_TYPES as readonly unknown[]).includes(type));
  if (unknown === undefined) return ANALYSIS_TYPES.filter((type) => list.includes(type));
  throw new InvalidInput(
    'invalid_user',
    `${JSON.stringify(unknown)} is not a type of user. There are: ${ANALYSIS_TYPES.join(', ')}.`,
    { at: 'type' },
  );
}

function sharedTypes(types: readonly AnalysisType[]): readonly ('admin' | 'user')[] {
  return (['admin', 'user'] as const).filter((type) => types.includes(type));
}

function ownTypes(types: readonly AnalysisType[]): readonly string[] {
  return ANALYSIS_USER_TYPES.filter((type) => types.includes(type));
}

/** Clients send back the effective roles and those of the types, which are not a new choice. */
function chosenRoles(given: unknown, types: readonly AnalysisType[], stored?: User): unknown {
  if (!Array.isArray(given)) return given ?? [];
  if (stored !== undefined && isSameSet(given, effectiveRoles(stored))) return stored.roles ?? [];
  const ofTypes = types.flatMap((type) => ROLES_OF_TYPE[type]);
  return isSameSet(given, ofTypes) ? [] : given;
}

function onlySet(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

/** Rejects changes that users may not make, as `assertMayAdministerField`; a missing quota is a change. */
function assertOwnFields(
  actor: Pick<Actor, 'isAdmin' | 'hasFullScope'>,
  stored: User,
  changed: User,
  input: Fields,
): void {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(changed)])].sort() as (keyof User)[];
  const givenUp = (name: keyof User) => QUOTA_NAMES.has(name) && input[name] === undefined && isSet(stored[name]);
  const foreign = names.find(
    (name) => !OWN_FIELDS.has(name) && (givenUp(name) || !isSame(stored[name], changed[name])),
  );
  if (foreign !== undefined) assertMayAdministerField(actor, foreign === 'analysis_types' ? 'type' : foreign);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(emptyAsUnset(left)) === JSON.stringify(emptyAsUnset(right));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function emptyAsUnset(value: unknown): unknown {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}
