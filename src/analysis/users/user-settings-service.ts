import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { RecentDocuments } from '../../datastore/port/recent-documents.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { DEFAULT_SELECTED_SERVICES } from '../../documents/kinds/analysis/submission.ts';
import { type UserSettings, userSettingsDocument } from '../../documents/kinds/user-records.ts';
import { isSameJson, valuesAt } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput, isConflict } from '../../errors/errors.ts';
import { storedProfiles, submissionProfiles } from './submission-profiles.ts';

/** The user whose settings they are. */
export interface SettingsOwner {
  readonly roles: ReadonlySet<string>;
  readonly classification: string;
}

/** Values of a submission, by name. */
type SubmissionValues = Readonly<Record<string, unknown>>;

/** Settings that a user sends: those of `UserSettings`, and values of submissions by profile. */
export interface SettingsInput {
  readonly default_zip_password: string;
  readonly submission_profiles?: Readonly<Record<string, SubmissionValues>>;
  readonly [name: string]: unknown;
}

interface SettingsDependencies {
  readonly classification: ClassificationEngine;
  readonly settings: Config['analysis'];
}

/** Name of the values of users who may customise submissions. */
const OWN_PROFILE = 'default';
/** Settings other than those of submissions. */
const CHOICES = `
  download_encoding default_external_sources default_zip_password default_metadata executive_summary expand_min_score
  submission_view`;
const ACCESS = unrestricted('settings are read for their user, and for administrators');

/** Stores the settings that users of the analysis service choose. */
export class UserSettingsService {
  readonly #dependencies: SettingsDependencies & { readonly stored: Collection<UserSettings> };
  readonly #recent: RecentDocuments<UserSettings>;

  constructor(dependencies: SettingsDependencies & { readonly stored: Collection<UserSettings> }) {
    this.#dependencies = dependencies;
    this.#recent = new RecentDocuments({ collection: dependencies.stored, access: ACCESS });
  }

  /** Returns the choices of a user, if any, at most a second old; the same object until they change. */
  chosen(username: string): Promise<Readonly<UserSettings> | undefined> {
    return this.#recent.get(username);
  }

  /** Returns all settings, chosen or not. */
  settingsOf(owner: SettingsOwner, chosen: Readonly<UserSettings> | undefined) {
    return effectiveSettings(this.#dependencies, owner, chosen);
  }

  /** Saves the settings that a user sent. @throws as `changedSettings` */
  async change(username: string, owner: SettingsOwner, input: SettingsInput): Promise<void> {
    const { stored, classification } = this.#dependencies;
    const usual = this.settingsOf(owner, undefined);
    await this.#recent.writing(username, () =>
      retryOnConflict(async () => {
        const found = await stored.getVersioned(username, ACCESS);
        const settings = changedSettings(classification, found?.document, usual, input);
        await stored.save(username, settings, { ifVersion: found?.version ?? ABSENT, visible: 'now' });
      }, isConflict),
    );
  }

  async delete(username: string): Promise<void> {
    await this.#recent.writing(username, () => this.#dependencies.stored.delete(username, { visible: 'now' }));
  }
}

/** Returns the settings of a user with all defaults (contract/analysis.md section 2.5). */
export function effectiveSettings(
  { classification, settings }: SettingsDependencies,
  owner: SettingsOwner,
  chosen: Readonly<UserSettings> | undefined,
) {
  const profiles = effectiveProfiles({ classification, settings }, owner, chosen);
  return {
    default_external_sources: chosen?.default_external_sources ?? [],
    default_metadata: chosen?.default_metadata ?? {},
    default_zip_password: chosen?.default_zip_password ?? settings.ui.default_zip_password,
    download_encoding: chosen?.download_encoding ?? settings.ui.download_encoding,
    executive_summary: chosen?.executive_summary ?? true,
    expand_min_score: chosen?.expand_min_score ?? 500,
    preferred_submission_profile: chosen?.preferred_submission_profile || (Object.keys(profiles)[0] ?? null),
    // The parameters and categories of services, of which none is installed.
    service_spec: [],
    services: [],
    submission_profiles: profiles,
    submission_view: chosen?.submission_view ?? 'report',
  };
}

function effectiveProfiles(
  { classification, settings }: SettingsDependencies,
  owner: SettingsOwner,
  chosen: Readonly<UserSettings> | undefined,
): Record<string, SubmissionValues> {
  const changes = storedProfiles(chosen);
  const own = { params: { services: { selected: DEFAULT_SELECTED_SERVICES } } };
  const usable = [...submissionProfiles(settings.submission, classification)].filter(([, profile]) =>
    classification.isAccessible(owner.classification, profile.classification),
  );
  const profiles = [...(owner.roles.has('submission_customize') ? [[OWN_PROFILE, own] as const] : []), ...usable];
  const values = profiles.map(([name, { params }]) => [
    name,
    {
      classification: classification.unrestricted,
      deep_scan: false,
      generate_alert: false,
      ignore_cache: false,
      ignore_filtering: false,
      ignore_recursion_prevention: false,
      priority: 1000,
      service_spec: {},
      ttl: settings.submission.dtl,
      ...params,
      ...changes[name],
    },
  ]);
  return Object.fromEntries(values);
}

/** Returns the document of sent settings; others stay. Throws `invalid_settings`, `invalid_document`. */
export function changedSettings(
  engine: ClassificationEngine,
  stored: Readonly<UserSettings> | undefined,
  usual: Pick<ReturnType<typeof effectiveSettings>, 'submission_profiles'>,
  input: SettingsInput,
): UserSettings {
  const chosen = Object.entries(valuesAt(input, CHOICES)).filter(([, value]) => value !== undefined);
  const preferred = input.preferred_submission_profile;
  const known = typeof preferred === 'string' && Object.hasOwn(usual.submission_profiles, preferred);
  const sent = input.submission_profiles ?? {};
  const profiles = Object.entries(usual.submission_profiles)
    .filter(([name]) => Object.hasOwn(sent, name))
    .map(([name, values]) => [name, difference(engine, values, sent[name] ?? {})]);
  const { document } = readDocument(
    userSettingsDocument,
    {
      ...stored,
      ...Object.fromEntries(chosen),
      ...(known ? { preferred_submission_profile: preferred } : {}),
      submission_profiles: JSON.stringify({ ...storedProfiles(stored), ...Object.fromEntries(profiles) }),
    },
    { unknown: 'drop' },
  );
  return document;
}

/** Returns the sent values that differ from the usual ones. */
function difference(engine: ClassificationEngine, usual: SubmissionValues, sent: SubmissionValues): SubmissionValues {
  const names = Object.keys(usual).filter((name) => name in sent && !isSameJson(usual[name], sent[name]));
  for (const name of names) {
    const value = sent[name];
    const fits = kindOf(value) === kindOf(usual[name]) && (typeof value !== 'number' || Number.isInteger(value));
    if (!fits) throw invalid(name, `it must be of the type of its default, ${JSON.stringify(usual[name])}`);
    if (name === 'classification' && !engine.isValid(engine.normalise(String(value)))) {
      throw invalid(name, 'it is not a classification');
    }
  }
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

function invalid(at: string, reason: string): InvalidInput {
  return new InvalidInput('invalid_settings', `The setting ${at} cannot be saved: ${reason}.`, { at });
}
