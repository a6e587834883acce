import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { UserSettings } from '../../documents/kinds/user-settings.ts';
import { accessibleProfiles, DEFAULT_SERVICES } from './submission-profiles.ts';

/** Whose settings they are. */
export interface SettingsOwner {
  readonly roles: ReadonlySet<string>;
  readonly classification: string;
}

/** Values of a submission, by name. */
export type SubmissionValues = Readonly<Record<string, unknown>>;

export interface EffectiveSettings extends Readonly<Record<string, unknown>> {
  readonly default_metadata: Readonly<Record<string, string>>;
  /** In the order in which people see them. */
  readonly submission_profiles: Readonly<Record<string, SubmissionValues>>;
}

export interface SettingsDependencies {
  readonly classification: ClassificationEngine;
  readonly settings: Config['analysis'];
}

/** Name of the values that only those have who may customise submissions. */
const OWN_PROFILE = 'default';

/** The settings of a user (contract/analysis.md section 2.5): what they chose, else what the installation says. */
export function effectiveSettings(
  { classification, settings }: SettingsDependencies,
  owner: SettingsOwner,
  chosen: Readonly<UserSettings> | undefined,
): EffectiveSettings {
  const customises = owner.roles.has('submission_customize');
  const profiles = effectiveProfiles(classification, owner, chosen, settings.submission.dtl);
  return {
    default_external_sources: chosen?.default_external_sources ?? [],
    default_metadata: chosen?.default_metadata ?? {},
    default_zip_password: chosen?.default_zip_password ?? settings.ui.default_zip_password,
    download_encoding: chosen?.download_encoding ?? settings.ui.download_encoding,
    executive_summary: chosen?.executive_summary ?? true,
    expand_min_score: chosen?.expand_min_score ?? 500,
    preferred_submission_profile:
      chosen?.preferred_submission_profile || (customises ? OWN_PROFILE : (Object.keys(profiles)[0] ?? null)),
    // Services list their parameters and categories here.
    service_spec: [],
    services: [],
    submission_profiles: profiles,
    submission_view: chosen?.submission_view ?? 'report',
  };
}

function effectiveProfiles(
  engine: ClassificationEngine,
  { roles, classification }: SettingsOwner,
  chosen: Readonly<UserSettings> | undefined,
  ttl: number,
): Record<string, SubmissionValues> {
  const changes = storedProfiles(chosen);
  const values = (name: string, params: object): SubmissionValues => ({
    classification: engine.unrestricted,
    deep_scan: false,
    generate_alert: false,
    ignore_cache: false,
    ignore_filtering: false,
    ignore_recursion_prevention: false,
    priority: 1000,
    service_spec: {},
    ttl,
    ...params,
    ...changes[name],
  });
  const own = roles.has('submission_customize')
    ? { [OWN_PROFILE]: values(OWN_PROFILE, { services: { selected: DEFAULT_SERVICES } }) }
    : {};
  const profiles = accessibleProfiles(engine, classification).map(([name, { params }]) => [name, values(name, params)]);
  return { ...own, ...Object.fromEntries(profiles) };
}

/** Changes to profiles as they are stored, by profile. */
export function storedProfiles(chosen: Readonly<UserSettings> | undefined): Readonly<Record<string, SubmissionValues>> {
  const text = chosen?.submission_profiles;
  return typeof text === 'string' ? JSON.parse(text) : {};
}
