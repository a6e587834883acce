import type { DemoRandom } from '../demo-random.ts';
import type { ExternalHost, Workstation } from '../organisation.ts';

/** The context in which a detection creates an alert. */
export interface Scene {
  readonly random: DemoRandom;
  readonly workstation: Workstation;
  readonly attacker: ExternalHost;
  readonly at: Date;
}

export interface Technique {
  readonly id: string;
  readonly name: string;
  readonly tactic: { readonly id: string; readonly name: string };
}

/** The specific properties of an alert; the others are common to its kind. */
export interface AlertFacts {
  /** Description of the event, in one sentence. */
  readonly message: string;
  readonly outline: {
    readonly threat: string;
    readonly target: string;
    readonly indicators: readonly string[];
    readonly summary: string;
  };
  /** 0 to 100. */
  readonly score: number;
  /** 0 to 10. */
  readonly severity: number;
  readonly action: string;
  readonly outcome: 'success' | 'failure' | 'unknown';
  /** Further fields of the alert in nested form: host, user, process, source ... */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Raw output of the sensor. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** One way in which an analytic raises alerts. */
export interface Detection {
  readonly analytic: string;
  readonly detection: string;
  /** Relative frequency. */
  readonly weight: number;
  readonly technique: Technique;
  /** ECS categories and types. */
  readonly category: readonly string[];
  readonly type: readonly string[];
  readonly sensor: Sensor;
  build(scene: Scene): AlertFacts;
}

/** The source of an alert. */
export interface Sensor {
  readonly dataset: string;
  readonly provider: string;
  readonly vendor: string;
  readonly product: string;
  readonly type: string;
}

const sensor = (dataset: string, vendor: string, product: string, type: string): Sensor => ({
  dataset,
  provider: product,
  vendor,
  product,
  type,
});

export const SENSORS = {
  endpoint: sensor('endpoint.alerts', 'Sentrywell', 'Sentrywell Endpoint', 'edr'),
  signIn: sensor('azure.signinlogs', 'Microsoft', 'Entra ID', 'identity'),
  firewall: sensor('panw.panos', 'Palo Alto Networks', 'PAN-OS', 'firewall'),
  proxy: sensor('zscaler.web', 'Zscaler', 'Internet Access', 'proxy'),
  resolver: sensor('zeek.dns', 'Zeek', 'Zeek', 'ids'),
  ids: sensor('suricata.eve', 'OISF', 'Suricata', 'ids'),
  mail: sensor('o365.audit', 'Microsoft', 'Defender for Office 365', 'mail'),
  windows: sensor('windows.security', 'Microsoft', 'Windows Security', 'host'),
  cloud: sensor('aws.cloudtrail', 'Amazon', 'CloudTrail', 'cloud'),
  web: sensor('nginx.access', 'F5', 'NGINX', 'web'),
} as const satisfies Record<string, Sensor>;

const tactic = (id: string, name: string) => ({ id, name });

/** MITRE ATT&CK Enterprise. */
export const TACTICS = {
  initialAccess: tactic('TA0001', 'Initial Access'),
  execution: tactic('TA0002', 'Execution'),
  persistence: tactic('TA0003', 'Persistence'),
  privilegeEscalation: tactic('TA0004', 'Privilege Escalation'),
  defenseEvasion: tactic('TA0005', 'Defense Evasion'),
  credentialAccess: tactic('TA0006', 'Credential Access'),
  discovery: tactic('TA0007', 'Discovery'),
  lateralMovement: tactic('TA0008', 'Lateral Movement'),
  collection: tactic('TA0009', 'Collection'),
  exfiltration: tactic('TA0010', 'Exfiltration'),
  commandAndControl: tactic('TA0011', 'Command and Control'),
  impact: tactic('TA0040', 'Impact'),
} as const;

export function technique(id: string, name: string, of: keyof typeof TACTICS): Technique {
  return { id, name, tactic: TACTICS[of] };
}

/** Use of a cloud account by another person. */
export const VALID_ACCOUNTS = technique('T1078.004', 'Valid Accounts: Cloud Accounts', 'initialAccess');
