import { createHash } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, USER_TYPES, type User } from '../../documents/kinds/user.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles } from '../accounts/effective-roles.ts';
import { withinTime } from '../limits/time-limit.ts';
import { notAdmitted } from '../login-refusals.ts';
import {
  type ClaimDocuments,
  type Claims,
  displayName,
  firstText,
  issueTimeOf,
  lowerCaseAddress,
  matchesOf,
  textOf,
  textsOf,
  withMatch,
} from './claim-values.ts';
import type { ProviderSettings } from './provider-client.ts';
import { ProviderUserNames, patternAtStart } from './provider-user-name.ts';

type AutoProperty = ProviderSettings['auto_properties'][number];

/** A user of an identity provider, in the terms of an account. */
export interface OAuthProfile {
  /** In lower case. */
  readonly email: string | undefined;
  /** True if `email_verified` is exactly true beside the address, or the settings trust the provider. */
  readonly emailVerified: boolean;
  /** Display name. */
  readonly name: string | undefined;
  /** Proposed user name of a new account; another account may have it. */
  readonly username: string | undefined;
  /** `<provider>/<identity_id_field>:<value>` and `<provider>:<subject>`; the first decides. */
  readonly identities: readonly string[];
  /** The value of `identity_id_field` alone, as earlier versions stored it. */
  readonly unscopedIdentity: string | undefined;
  /** Time of issue of the earliest token in milliseconds since 1970, if a token contains one. */
  readonly issuedAt: number | undefined;
  readonly types: User['type'];
  /** Undefined if the settings of the provider do not name them. */
  readonly analysisTypes: User['analysis_types'];
  /** Undefined like `analysisTypes`. */
  readonly analysisRoles: User['roles'];
  readonly groups: readonly string[];
  readonly classification: string;
  /** Address or data URI of a picture, of the provider or of gravatar.com. */
  readonly picture: string | undefined;
  /** `claim` of the provider, `address` at `picture_url` of the settings, or `gravatar` without either. */
  readonly pictureFrom: 'claim' | 'address' | 'gravatar';
  /** Result of the `access` rules. */
  readonly admitted: boolean;
  readonly missingGroups: readonly string[];
}

interface ProfileReaderDependencies {
  /** Name of the provider. */
  readonly provider: string;
  readonly settings: ProviderSettings;
  readonly engine: ClassificationEngine;
  readonly gravatar: boolean;
}

interface Address {
  readonly email: string | undefined;
  readonly verified: boolean;
}

const NO_ADDRESS: Address = { email: undefined, verified: false };

/** Time limit of the regular expressions of a provider for all claims of a user in milliseconds. */
const MATCH_TIME = 500;
const MAX_GROUPS = 10_000;
const ROLE_RULES: ReadonlySet<AutoProperty['type']> = new Set(['role', 'type', 'remove_role'] as const);
const ANALYSIS_NAMES: ReadonlySet<string> = new Set([...ANALYSIS_USER_TYPES, ...ANALYSIS_ROLES]);

/** Reads claims by the settings of a provider (contract/alert.md section 2.4, enrichment.md 1.3). */
export class ProfileReader {
  readonly settings: ProviderSettings;
  readonly #dependencies: ProfileReaderDependencies;
  readonly #names: ProviderUserNames;
  readonly #rules: readonly { readonly property: AutoProperty; readonly pattern: RegExp }[];
  readonly #namesAnalysisTypes: boolean;
  readonly #hasExpressions: boolean;
  /** First documents with which the expressions exceed their time: a token may be sent repeatedly. */
  readonly #endless = new WeakSet<Claims>();

  /** @throws InvalidInput `invalid_setting`, which names the key */
  constructor(dependencies: ProfileReaderDependencies) {
    this.#dependencies = dependencies;
    const { provider, settings } = dependencies;
    this.settings = settings;
    const at = `auth.oauth.providers.${provider}`;
    this.#names = new ProviderUserNames(settings, at);
    this.#rules = settings.auto_properties.map((property, index) => ({
      property,
      pattern: patternAtStart(property.pattern, `${at}.auto_properties.${index}.pattern`),
    }));
    this.#hasExpressions = settings.auto_properties.length > 0 || settings.uid_regex !== null;
    for (const type of Object.keys(settings.role_map)) this.#rejectUnknownType(type, `${at}.role_map`);
    const named = [
      ...Object.keys(settings.role_map),
      ...settings.auto_properties.flatMap(({ type, value }) => (ROLE_RULES.has(type) ? value : [])),
    ];
    this.#namesAnalysisTypes = named.some((name) => ANALYSIS_NAMES.has(name));
  }

  /** Reads the claims of a token or one login; throws `not_admitted` if expressions exceed their time. */
  read(...documents: ClaimDocuments): OAuthProfile {
    if (!this.#hasExpressions) return this.#read(documents);
    const [first] = documents;
    const read = this.#endless.has(first) ? undefined : withinTime(MATCH_TIME, () => this.#read(documents));
    if (read !== undefined) return read.result;
    this.#endless.add(first);
    const at = `auth.oauth.providers.${this.#dependencies.provider}`;
    throw notAdmitted(
      new Error(`the expressions of ${at} take too long with the claims of a token: make them simpler`),
    );
  }

  #read(documents: readonly Claims[]): OAuthProfile {
    const { settings, provider } = this.#dependencies;
    const claims: Claims = Object.assign({}, ...documents.toReversed());
    const { email, verified } = this.#addressOf(documents);
    const name = displayName(firstText(claims, ['name', 'displayName']));
    const username = firstText(claims, this.#names.claims);
    const groups = new Set(textsOf(claims.groups).slice(0, MAX_GROUPS));
    const assigned = this.#assign(claims, groups);
    const subject = textOf(claims.sub);
    const { identity_id_field: field } = settings;
    const identity = field === 'sub' ? undefined : textOf(claims[field]);
    return {
      email,
      emailVerified: verified,
      name,
      username: this.#names.nameOf({ username, email, name }),
      identities: [
        ...(identity === undefined ? [] : [`${provider}/${field}:${identity}`]),
        ...(subject === undefined ? [] : [`${provider}:${subject}`]),
      ],
      // An identity with a colon would be that of another provider.
      unscopedIdentity: identity?.includes(':') ? undefined : identity,
      issuedAt: issueTimeOf(documents),
      ...assigned,
      groups: [...groups],
      ...this.#pictureOf(textOf(claims.picture), email),
      missingGroups: settings.required_groups.filter((group) => !groups.has(group)),
    };
  }

  /** Returns a name for an account whose proposed names are all taken. */
  randomName(): string {
    return this.#names.random();
  }

  /** Returns the first verified address, else the first one, with its flag. */
  #addressOf(documents: readonly Claims[]): Address {
    const found = documents.map((claims) => this.#addressIn(claims));
    return found.find(({ verified }) => verified) ?? found.find(({ email }) => email !== undefined) ?? NO_ADDRESS;
  }

  #addressIn(claims: Claims): Address {
    const { email_fields, trust_email } = this.#dependencies.settings;
    for (const claim of email_fields) {
      const [value] = textsOf(claims[claim]);
      if (value === undefined) continue;
      // The first present claim decides: another may contain the address of another person.
      const email = value.includes('@') ? lowerCaseAddress(value) : undefined;
      if (email === undefined) return NO_ADDRESS;
      // The flag is about the claim `email` only (OpenID Connect Core section 5.1).
      return { email, verified: trust_email || (claim === 'email' && claims.email_verified === true) };
    }
    return NO_ADDRESS;
  }

  #pictureOf(claim: string | undefined, email: string | undefined): Pick<OAuthProfile, 'picture' | 'pictureFrom'> {
    if (claim !== undefined) return { picture: claim, pictureFrom: 'claim' };
    const { picture_url } = this.#dependencies.settings;
    if (picture_url !== null) return { picture: picture_url, pictureFrom: 'address' };
    return { picture: this.#gravatarOf(email), pictureFrom: 'gravatar' };
  }

  #gravatarOf(email: string | undefined): string | undefined {
    if (!this.#dependencies.gravatar || email === undefined) return undefined;
    return `https://www.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}?s=256&d=404&r=pg`;
  }

  /** Applies the rules. Adds to `groups`. */
  #assign(
    claims: Claims,
    groups: Set<string>,
  ): Pick<OAuthProfile, 'admitted' | 'types' | 'analysisTypes' | 'analysisRoles' | 'classification'> {
    const { engine, settings } = this.#dependencies;
    let admitted: boolean | undefined;
    let base = 'user';
    const names = new Set<string>();
    const removed = new Set<string>();
    const clearances: string[] = [];
    for (const { property, pattern } of this.#rules) {
      const { type, value } = property;
      const grants = value.toLowerCase() === 'true';
      if (type === 'access') admitted ??= !grants;
      const found = matchesOf(claims[property.field], pattern);
      const [match] = found;
      if (match === undefined) continue;
      if (type === 'access') admitted = grants;
      else if (type === 'type') base = value;
      else if (type === 'role') names.add(value);
      else if (type === 'remove_role') removed.add(value);
      else if (type === 'classification') clearances.push(value);
      else if (type === 'group') groups.add(withMatch(value, match));
      else if (type === 'multi_group') for (const one of found) groups.add(withMatch(value, one));
    }
    for (const [type, group] of Object.entries(settings.role_map)) if (groups.has(group)) names.add(type);
    for (const [group, clearance] of Object.entries(settings.classification_map)) {
      if (groups.has(group)) clearances.push(clearance);
    }
    return {
      admitted: admitted ?? true,
      ...this.#kinds([base, ...names], removed),
      classification: clearances.reduce((all, one) => raised(engine, all, one), engine.unrestricted),
    };
  }

  #kinds(
    names: readonly string[],
    removed: ReadonlySet<string>,
  ): Pick<OAuthProfile, 'types' | 'analysisTypes' | 'analysisRoles'> {
    const types = USER_TYPES.filter((type) => names.includes(type));
    if (!this.#namesAnalysisTypes) return { types, analysisTypes: undefined, analysisRoles: undefined };
    const analysisTypes = ANALYSIS_USER_TYPES.filter((type) => names.includes(type));
    const chosen = ANALYSIS_ROLES.filter((role) => names.includes(role));
    const listed = chosen.length > 0 || removed.size > 0;
    const held = effectiveRoles({ type: types, analysis_types: analysisTypes, roles: chosen });
    return { types, analysisTypes, analysisRoles: listed ? held.filter((role) => !removed.has(role)) : [] };
  }

  #rejectUnknownType(type: string, at: string): void {
    const known: readonly string[] = [...USER_TYPES, ...ANALYSIS_USER_TYPES];
    if (known.includes(type)) return;
    throw new InvalidInput(
      'invalid_setting',
      `${at}: ${type} is not a user type. It maps user types to groups, \`admin: soc-admins\`; allowed: ${known.join(', ')}.`,
      { at },
    );
  }
}

/** Raises a clearance; one that the definition does not contain adds nothing. */
function raised(engine: ClassificationEngine, clearance: string, by: string): string {
  try {
    return engine.buildUser(clearance, by);
  } catch {
    return clearance;
  }
}
