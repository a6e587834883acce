import { createHash } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';

import { ANALYSIS_ROLES, type AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, USER_TYPES, type User } from '../../documents/kinds/user.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles } from '../accounts/effective-roles.ts';
import { withinTime } from '../limits/time-limit.ts';
import { notAdmitted } from '../login-refusals.ts';
import type { ProviderSettings } from './provider-client.ts';
import { ProviderUserNames, patternAtStart } from './provider-user-name.ts';

type AutoProperty = ProviderSettings['auto_properties'][number];
export type Claims = Readonly<Record<string, unknown>>;
/** Claims of one sign-in by their origin: identity token, access token, the provider's answer. Of several, the first that has a claim counts. */
export type ClaimDocuments = readonly [Claims, ...Claims[]];

/** What an identity provider tells of somebody, in the terms of an account. */
export interface OAuthProfile {
  /** In lower case. */
  readonly email: string | undefined;
  /** `email_verified` of the document that has the address is exactly true, or the settings of the provider trust its addresses. */
  readonly emailVerified: boolean;
  /** Display name. */
  readonly name: string | undefined;
  /** The user name that a new account would like; another account may have it. */
  readonly username: string | undefined;
  /** Identities at the provider, the decisive one first: `<provider>/<identity_id_field>:<value>`, `<provider>:<subject>`. */
  readonly identities: readonly string[];
  /** The value of `identity_id_field` alone, as earlier versions stored it. */
  readonly unscopedIdentity: string | undefined;
  /** Milliseconds since 1970 at which the claims were issued, of several tokens the first; undefined: no token tells. */
  readonly issuedAt: number | undefined;
  readonly types: User['type'];
  /** Undefined: the settings of the provider say nothing of them. */
  readonly analysisTypes: User['analysis_types'];
  /** Undefined: as `analysisTypes`. */
  readonly analysisRoles: User['roles'];
  readonly groups: readonly string[];
  readonly classification: string;
  /** Address or data URI of a picture: the provider's, else that of gravatar.com where the settings allow it. */
  readonly picture: string | undefined;
  /** `claim`: told by the provider; `address`: it is at `picture_url` of the settings; `gravatar`: nobody told of one. */
  readonly pictureFrom: 'claim' | 'address' | 'gravatar';
  /** What the `access` rules say. */
  readonly admitted: boolean;
  /** Required groups that are missing. */
  readonly missingGroups: readonly string[];
}

export interface ProfileReaderDependencies {
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

/** Longer claims are not matched: nobody's group has such a name, and expressions of the settings may be slow. */
const MAX_MATCHED = 1024;
/** Milliseconds that the expressions of a provider have for all claims of somebody; they take none of them. */
const MATCH_TIME = 500;
const MAX_GROUPS = 10_000;
/** RFC 5321 section 4.5.3.1: 64 before the sign and 255 after it. */
const MAX_ADDRESS = 320;

/** Reads claims of one provider by its settings (contract/alert.md section 2.4, enrichment.md 1.3, analysis.md 2.6). */
export class ProfileReader {
  readonly #dependencies: ProfileReaderDependencies;
  readonly #names: ProviderUserNames;
  readonly #rules: readonly { readonly property: AutoProperty; readonly pattern: RegExp }[];
  readonly #namesAnalysisTypes: boolean;
  readonly #hasExpressions: boolean;
  /** First documents with which the expressions exceed their time: a token may be sent again and again. */
  readonly #endless = new WeakSet<Claims>();

  /** @throws InvalidInput `invalid_setting`, which names the key that is wrong */
  constructor(dependencies: ProfileReaderDependencies) {
    this.#dependencies = dependencies;
    const { provider, settings } = dependencies;
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
      ...settings.auto_properties.flatMap(({ type, value }) => (isRoleRule(type) ? value : [])),
    ];
    this.#namesAnalysisTypes = named.some((name) => isAnalysisType(name) || isAnalysisRole(name));
  }

  /**
   * Reads the claims of a token, or of the documents of one sign-in.
   * @throws Forbidden `not_admitted` when the expressions of the settings exceed their time with these claims
   */
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
      // With a colon it would be the identity of another provider.
      unscopedIdentity: identity?.includes(':') ? undefined : identity,
      issuedAt: issueTimeOf(documents),
      ...assigned,
      groups: [...groups],
      ...this.#pictureOf(textOf(claims.picture), email),
      missingGroups: settings.required_groups.filter((group) => !groups.has(group)),
    };
  }

  /** For an account whose proposed names are all taken. */
  randomName(): string {
    return this.#names.random();
  }

  /** The address with its flag, both of one document: the first with a verified address, else the first with any. */
  #addressOf(documents: readonly Claims[]): Address {
    const found = documents.map((claims) => this.#addressIn(claims));
    return found.find(({ verified }) => verified) ?? found.find(({ email }) => email !== undefined) ?? NO_ADDRESS;
  }

  #addressIn(claims: Claims): Address {
    const { email_fields, trust_email } = this.#dependencies.settings;
    for (const claim of email_fields) {
      const [value] = textsOf(claims[claim]);
      if (value === undefined) continue;
      // The first claim that is present decides: an address further down the list may be that of another person.
      const email = value.includes('@') ? inLowerCase(value) : undefined;
      if (email === undefined) return NO_ADDRESS;
      // The flag is about the claim `email` alone (OpenID Connect Core section 5.1).
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

  /** What follows from the rules; adds to `groups`. */
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

function issueTimeOf(documents: readonly Claims[]): number | undefined {
  const times = documents.map(({ iat }) => iat).filter((iat) => typeof iat === 'number');
  return times.length === 0 ? undefined : Math.min(...times) * 1000;
}

/** A clearance of the settings that the definition does not know adds nothing. */
function raised(engine: ClassificationEngine, clearance: string, by: string): string {
  try {
    return engine.buildUser(clearance, by);
  } catch {
    return clearance;
  }
}

function matchesOf(claim: unknown, pattern: RegExp): readonly RegExpExecArray[] {
  return textsOf(claim)
    .filter((text) => text.length <= MAX_MATCHED)
    .map((text) => pattern.exec(text))
    .filter((match) => match !== null);
}

/** `soc-$1` with the first group of the match in its place. */
function withMatch(name: string, match: RegExpExecArray): string {
  return name.replaceAll(/\$(\d+)/g, (place, index: string) => match[Number(index)] ?? place);
}

/** `Lovelace, Ada` → `Ada Lovelace`. */
function displayName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const comma = name.indexOf(', ');
  return comma === -1 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
}

function firstText(claims: Claims, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(claims[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.isWellFormed() && !claim.includes('\0') ? claim : undefined;
}

/**
 * Undefined for what is too long for an address, which expressions of the settings would have to be matched with, and for letters that become ASCII
 * in lower case, like the Kelvin sign: that would be the address of somebody else.
 */
function inLowerCase(address: string): string | undefined {
  if (address.length > MAX_ADDRESS) return undefined;
  const isOwn = [...address].every((letter) => letter <= '\x7f' || letter.toLowerCase() > '\x7f');
  return isOwn ? address.toLowerCase() : undefined;
}

/** A claim may be one value or a list; numbers and truth values are matched as text. */
function textsOf(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return textOf(value) ?? [];
  });
}

function isRoleRule(type: AutoProperty['type']): boolean {
  return type === 'role' || type === 'type' || type === 'remove_role';
}

function isAnalysisType(name: string): boolean {
  return (ANALYSIS_USER_TYPES as readonly string[]).includes(name);
}

function isAnalysisRole(name: string): name is AnalysisRole {
  return (ANALYSIS_ROLES as readonly string[]).includes(name);
}
