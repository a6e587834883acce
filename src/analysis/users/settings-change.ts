import type { ClassificationEngine } from '../../classification/classification.ts';
import { type UserSettings, userSettingsDocument } from '../../documents/kinds/user-settings.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { type EffectiveSettings, type SubmissionValues, storedProfiles } from './user-settings.ts';

/** Settings beside those of submissions. */
const CHOICES = [
  'download_encoding',
  'default_external_sources',
  'default_zip_password',
  'default_metadata',
  'executive_summary',
  'expand_min_score',
  'submission_view',
] as const;

/** Settings that a user sends: those of `UserSettings`, and values of submissions by profile. */
export interface SettingsInput {
  readonly default_zip_password: string;
  readonly submission_profiles?: Readonly<Record<string, SubmissionValues>>;
  readonly [name: string]: unknown;
}

/**
 * What is stored after a user has sent settings; what they leave out stays.
 * @param usual settings of somebody who chose nothing, for the profiles that they may use
 * @throws InvalidInput `invalid_settings`, `invalid_document`
 */
export function changedSettings(
  engine: ClassificationEngine,
  stored: Readonly<UserSettings> | undefined,
  usual: EffectiveSettings,
  input: SettingsInput,
): UserSettings {
  const chosen = Object.fromEntries(CHOICES.filter((name) => name in input).map((name) => [name, input[name]]));
  const preferred = input.preferred_submission_profile;
  const known = typeof preferred === 'string' && Object.hasOwn(usual.submission_profiles, preferred);
  const profiles = changedProfiles(engine, usual, input.submission_profiles ?? {});
  const { document } = readDocument(
    userSettingsDocument,
    {
      ...stored,
      ...chosen,
      ...(known ? { preferred_submission_profile: preferred } : {}),
      submission_profiles: JSON.stringify({ ...storedProfiles(stored), ...profiles }),
    },
    { unknown: 'drop' },
  );
  return document;
}

/** Of each profile that was sent, what differs from how it usually is. */
function changedProfiles(
  engine: ClassificationEngine,
  usual: EffectiveSettings,
  sent: Readonly<Record<string, SubmissionValues>>,
): Readonly<Record<string, SubmissionValues>> {
  const profiles = Object.entries(usual.submission_profiles).filter(([name]) => Object.hasOwn(sent, name));
  return Object.fromEntries(profiles.map(([name, values]) => [name, difference(engine, values, sent[name] ?? {})]));
}

function difference(engine: ClassificationEngine, usual: SubmissionValues, sent: SubmissionValues): SubmissionValues {
  const names = Object.keys(usual).filter((name) => name in sent && !isSame(usual[name], sent[name]));
  for (const name of names) {
    const value = sent[name];
    const fits = kindOf(value) === kindOf(usual[name]) && (typeof value !== 'number' || Number.isInteger(value));
    if (!fits) throw invalid(name, `it is ${JSON.stringify(usual[name])} where nobody changes it`);
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

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
