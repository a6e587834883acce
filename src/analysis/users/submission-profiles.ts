/** Services and categories of services that a submission goes to. */
interface ServiceSelection {
  readonly selected: readonly string[];
  readonly excluded: readonly string[];
  readonly rescan: readonly string[];
  readonly resubmit: readonly string[];
}

/** A named choice of services for submissions. */
interface SubmissionProfile {
  readonly display_name: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The values of a submission that the profile sets, and parameters of services by service and name. */
  readonly params: { readonly services: ServiceSelection; readonly service_spec?: object };
  /** Parameters that only users who may customise submissions may change, by service or `submission`. */
  readonly restricted_params: object;
}

/** Categories of services that are selected by default. */
export const DEFAULT_SERVICES = ['Filtering', 'Antivirus', 'Static Analysis', 'Extraction', 'Networking'] as const;

const services = (...more: readonly string[]): ServiceSelection => ({
  selected: [...DEFAULT_SERVICES, ...more],
  excluded: [],
  rescan: [],
  resubmit: [],
});

const list = (points: readonly string[]) => points.map((point) => `- ${point}\n`).join('');

function description(summary: string, action: string, uses: readonly string[], limits: readonly string[]): string {
  return (
    `\n**Summary**\n\n${summary}\n\n**What it does**\n\n${action}\n` +
    `\n**When to use it**\n${list(uses)}\n**Limitations**\n${list(limits)}`
  );
}

/** The profiles of every installation, in display order (contract/analysis.md section 10.1). */
export const SUBMISSION_PROFILES: Readonly<Record<string, SubmissionProfile>> = {
  static: {
    display_name: 'Static Analysis [OFFLINE]',
    summary: 'Quick scan; keep it local',
    description: description(
      'Quick, local-only scan with no execution.',
      'Analyzes files using internal and open-source tools (e.g., YARA, CAPA) to inspect their structure, metadata, and embedded indicators without running any code.',
      ['Rapid triage', 'Checking sensitive or proprietary files that must never leave the local network'],
      [
        'Low detection rate for packed or heavily obfuscated malware',
        'Cannot observe runtime behavior or command-and-control (C2) logic',
      ],
    ),
    params: { services: services() },
    restricted_params: {},
  },
  static_with_dynamic: {
    display_name: 'Static + Dynamic Analysis [OFFLINE]',
    summary: 'See behavior; keep it local',
    description: description(
      'Local sandbox detonation with behavioral visibility.',
      'Combines static analysis with full dynamic execution in a local sandbox to observe process creation, file system changes, registry activity, and system interactions.',
      [
        'Standard malware investigation',
        'Understanding what a file does at runtime without risking data leakage to third-party APIs',
      ],
      [
        'Malware may evade or delay execution if it detects the sandbox environment',
        'Limited visibility into network-based indicators without internet access',
      ],
    ),
    params: { services: services('Dynamic Analysis') },
    restricted_params: {},
  },
  static_with_internet: {
    display_name: 'Static Analysis [ONLINE]',
    summary: 'Is this a known threat? (Quick check)',
    description: description(
      'Quick reputation check using global intelligence sources.',
      'Performs metadata and hash lookups against external services (e.g., VirusTotal, Google Threat Intelligence) without executing the file.',
      [
        'Quickly determining whether a file is already known malicious',
        'Prioritizing triage based on global reputation',
      ],
      [
        'Potential data leakage via hash or metadata queries',
        'Unique samples may alert adversaries that analysis is occurring',
      ],
    ),
    params: { services: services('Internet Connected') },
    restricted_params: {},
  },
  static_and_dynamic_with_internet: {
    display_name: 'Static + Dynamic Analysis [ONLINE]',
    summary: 'Full deep-dive; allow network traffic',
    description: description(
      'Complete analysis with execution and internet access.',
      'Executes files in a sandbox with live internet connectivity to capture command-and-control traffic, network indicators, and runtime behavior, while also leveraging external reputation services.',
      [
        'Deep investigation of unknown or high-risk samples',
        'Identifying network IOCs and full malware lifecycle behavior',
      ],
      ['Privacy and data exposure risk', 'Sample or metadata may be shared with third-party services'],
    ),
    params: {
      services: services('Internet Connected', 'Dynamic Analysis'),
      service_spec: { CAPE: { routing: 'internet' }, URLDownloader: { proxy: 'localhost_proxy' } },
    },
    restricted_params: {},
  },
};
