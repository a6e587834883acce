import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { DEFAULT_SELECTED_SERVICES } from '../../documents/kinds/analysis/submission.ts';
import type { UserSettings } from '../../documents/kinds/user-records.ts';

/** Parameters that submitters choose by a name. */
export interface SubmissionProfile {
  readonly display_name: string;
  /** Classification that users need for it. */
  readonly classification: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Parameters that only users who may customise submissions may change, by service or `submission`. */
  readonly restricted_params: Readonly<Record<string, readonly string[]>>;
  readonly summary: string | null;
  readonly description: string | null;
}

/** Returns the profiles of the installation by name, in display order. */
export function submissionProfiles(
  { profiles }: Pick<Settings['analysis']['submission'], 'profiles'>,
  classification: ClassificationEngine,
): ReadonlyMap<string, SubmissionProfile> {
  const { unrestricted } = classification;
  if (profiles.length === 0) {
    const usual = Object.entries(USUAL_PROFILES);
    return new Map(usual.map(([name, one]) => [name, { ...one, classification: unrestricted }]));
  }
  return new Map(
    profiles.map(({ name, ...one }) => [
      name,
      {
        ...one,
        classification: one.classification === null ? unrestricted : classification.normalise(one.classification),
      },
    ]),
  );
}

/** Returns the changes that a user stored of profiles, by profile. */
export function storedProfiles(
  chosen: Readonly<UserSettings> | undefined,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const text = chosen?.submission_profiles;
  return typeof text === 'string' ? JSON.parse(text) : {};
}

interface Profile {
  readonly name: string;
  readonly summary: string;
  readonly headline: string;
  readonly action: string;
  readonly uses: readonly string[];
  readonly limits: readonly string[];
  /** Further categories of services. */
  readonly more?: readonly string[];
  /** Parameters of services by service and name. */
  readonly service_spec?: object;
}

function profile({ name, summary, headline, action, uses, limits, more = [], ...spec }: Profile) {
  const list = (points: readonly string[]) => points.map((point) => `- ${point}\n`).join('');
  return {
    display_name: name,
    summary,
    description:
      `\n**Summary**\n\n${headline}\n\n**What it does**\n\n${action}\n` +
      `\n**When to use it**\n${list(uses)}\n**Limitations**\n${list(limits)}`,
    params: {
      services: { selected: [...DEFAULT_SELECTED_SERVICES, ...more], excluded: [], rescan: [], resubmit: [] },
      ...spec,
    },
    restricted_params: {},
  };
}

/** The profiles of an installation that configures none (contract/analysis.md section 10.1). */
const USUAL_PROFILES: Readonly<Record<string, ReturnType<typeof profile>>> = {
  static: profile({
    name: 'Static Analysis [OFFLINE]',
    summary: 'Quick scan; keep it local',
    headline: 'Quick, local-only scan with no execution.',
    action:
      'Analyzes files using internal and open-source tools (e.g., YARA, CAPA) to inspect their structure, metadata, and embedded indicators without running any code.',
    uses: ['Rapid triage', 'Checking sensitive or proprietary files that must never leave the local network'],
    limits: [
      'Low detection rate for packed or heavily obfuscated malware',
      'Cannot observe runtime behavior or command-and-control (C2) logic',
    ],
  }),
  static_with_dynamic: profile({
    name: 'Static + Dynamic Analysis [OFFLINE]',
    summary: 'See behavior; keep it local',
    headline: 'Local sandbox detonation with behavioral visibility.',
    action:
      'Combines static analysis with full dynamic execution in a local sandbox to observe process creation, file system changes, registry activity, and system interactions.',
    uses: [
      'Standard malware investigation',
      'Understanding what a file does at runtime without risking data leakage to third-party APIs',
    ],
    limits: [
      'Malware may evade or delay execution if it detects the sandbox environment',
      'Limited visibility into network-based indicators without internet access',
    ],
    more: ['Dynamic Analysis'],
  }),
  static_with_internet: profile({
    name: 'Static Analysis [ONLINE]',
    summary: 'Is this a known threat? (Quick check)',
    headline: 'Quick reputation check using global intelligence sources.',
    action:
      'Performs metadata and hash lookups against external services (e.g., VirusTotal, Google Threat Intelligence) without executing the file.',
    uses: [
      'Quickly determining whether a file is already known malicious',
      'Prioritizing triage based on global reputation',
    ],
    limits: [
      'Potential data leakage via hash or metadata queries',
      'Unique samples may alert adversaries that analysis is occurring',
    ],
    more: ['Internet Connected'],
  }),
  static_and_dynamic_with_internet: profile({
    name: 'Static + Dynamic Analysis [ONLINE]',
    summary: 'Full deep-dive; allow network traffic',
    headline: 'Complete analysis with execution and internet access.',
    action:
      'Executes files in a sandbox with live internet connectivity to capture command-and-control traffic, network indicators, and runtime behavior, while also leveraging external reputation services.',
    uses: [
      'Deep investigation of unknown or high-risk samples',
      'Identifying network IOCs and full malware lifecycle behavior',
    ],
    limits: ['Privacy and data exposure risk', 'Sample or metadata may be shared with third-party services'],
    more: ['Internet Connected', 'Dynamic Analysis'],
    service_spec: { CAPE: { routing: 'internet' }, URLDownloader: { proxy: 'localhost_proxy' } },
  }),
};
