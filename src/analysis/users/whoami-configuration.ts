import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import { valuesAt } from '../../documents/schema/plain-objects.ts';
import { LISTED_ROLES, LISTED_ROLES_OF_PRIVILEGE, LISTED_ROLES_OF_TYPE } from '../operations/listed-roles.ts';
import { submissionProfiles } from './submission-profiles.ts';

type Json = Readonly<Record<string, unknown>>;

interface ClientConfigurationDependencies {
  readonly settings: Config;
  readonly version: string;
  readonly classification: ClassificationEngine;
}

/**
 * Describes the installation to clients (contract/analysis.md section 2.7).
 * @param clearance classification of the users who get it
 */
export function clientConfiguration(dependencies: ClientConfigurationDependencies, clearance: string): Json {
  const { settings, version } = dependencies;
  const { auth, analysis, system } = settings;
  const isVisible = (marking: string | null) => dependencies.classification.isAccessible(clearance, marking, true);
  const profiles = [...submissionProfiles(analysis.submission, dependencies.classification)];
  return {
    auth: signInConfiguration(settings),
    core: { archiver: valuesAt(analysis.core.archiver, 'alternate_dtl') },
    datastore: { archive: valuesAt(analysis.datastore.archive, 'enabled') },
    // This program has no retrohunt.
    retrohunt: { enabled: false, dtl: 30, max_dtl: 0 },
    submission: {
      ...valuesAt(analysis.submission, 'dtl max_dtl max_file_size verdicts'),
      file_sources: sourcesByType(analysis.submission.file_sources.filter((one) => isVisible(one.classification))),
      metadata: valuesAt(analysis.submission.metadata, 'submit archive'),
      profiles: Object.fromEntries(
        profiles
          .filter(([, { classification }]) => isVisible(classification))
          .map(([name, { classification, ...shown }]) => [name, shown]),
      ),
    },
    system: { ...valuesAt(analysis.system, 'organisation support'), type: system.type, version },
    ui: {
      ...interfaceConfiguration(settings),
      external_sources: analysis.ui.external_sources
        .filter((one) => isVisible(one.classification))
        .map(({ name, classification, max_classification }) => ({
          name,
          max_classification: max_classification ?? classification ?? dependencies.classification.unrestricted,
        })),
    },
    user: userConfiguration(auth.allow_extended_apikeys),
  };
}

/** Regular expressions of the hashes by which files can be submitted. */
const HASHES = {
  md5: '^[a-f0-9]{32}$',
  sha1: '^[a-f0-9]{40}$',
  sha256: '^[a-f0-9]{64}$',
  ssdeep: '^[0-9]{1,18}:[a-zA-Z0-9/+]{0,64}:[a-zA-Z0-9/+]{0,64}$',
  tlsh: '^((?:T1)?[0-9a-fA-F]{70})$',
};

/** Returns the sources of files by what they are asked for. */
function sourcesByType(sources: Config['analysis']['submission']['file_sources']): Json {
  const custom = sources.flatMap(({ hash_types, hash_patterns }) =>
    hash_types.filter((type) => !Object.hasOwn(HASHES, type)).map((type) => [type, hash_patterns[type] ?? null]),
  );
  const patterns = { ...HASHES, ...Object.fromEntries(custom) };
  const described = Object.entries(patterns).map(([type, pattern]) => {
    const names = (list: typeof sources) => list.filter((one) => one.hash_types.includes(type)).map((one) => one.name);
    return [type, { pattern, sources: names(sources), auto_selected: names(sources.filter((one) => one.auto_select)) }];
  });
  return Object.fromEntries(described);
}

/** Settings of the interface that clients get as they are. */
const SHOWN_SETTINGS = `
  alerting_meta allow_malicious_hinting allow_raw_downloads allow_replay allow_url_submissions allow_zip_downloads
  banner banner_level community_feed fqdn read_only rss_feeds services_feed tos_lockout
  url_submission_auto_service_selection`;

/** Describes how people may sign in. */
export function signInConfiguration({ auth, analysis }: Config): Json {
  return {
    ...valuesAt(analysis.auth, 'allow_2fa allow_security_tokens'),
    ...valuesAt(auth, 'allow_apikeys allow_extended_apikeys'),
    apikey_max_dtl: longestKeyLife(auth),
  };
}

/** Describes what the interface may do. */
export function interfaceConfiguration({ ui: shared, analysis: { ui } }: Config): Json {
  return {
    ...valuesAt(ui, SHOWN_SETTINGS),
    ai: { enabled: false },
    // This program calls no other on behalf of its users.
    api_proxies: {},
    apps: [],
    external_links: {},
    external_source_tags: {},
    external_sources: [],
    enforce_quota: shared.enforce_quota,
    tos: Boolean(ui.tos),
    tos_lockout_notify: ui.tos_lockout_notify.length > 0,
  };
}

/** Returns roles, types of users and privileges of keys, for the forms that people fill in. */
function userConfiguration(extendedKeys: boolean): Json {
  return {
    api_priv_map: {
      READ: ['R'],
      READ_WRITE: ['R', 'W'],
      WRITE: ['W'],
      CUSTOM: ['C'],
      ...(extendedKeys ? { EXTENDED: ['R', 'W', 'E'] } : {}),
    },
    priv_role_dependencies: { ...LISTED_ROLES_OF_PRIVILEGE, C: [] },
    roles: LISTED_ROLES,
    role_dependencies: LISTED_ROLES_OF_TYPE,
    types: Object.keys(LISTED_ROLES_OF_TYPE),
  };
}

const DAYS_PER_UNIT = { seconds: 1 / 86_400, minutes: 1 / 1440, hours: 1 / 24, days: 1, weeks: 7 } as const;

/** Returns the longest lifetime of an API key in days, at least one; null without a limit. */
function longestKeyLife({
  max_apikey_duration_amount: amount,
  max_apikey_duration_unit: unit,
}: Config['auth']): number | null {
  return amount === null ? null : Math.max(1, Math.floor(amount * DAYS_PER_UNIT[unit ?? 'days']));
}
