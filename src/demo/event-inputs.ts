import { momentsBefore } from './alert-timeline.ts';
import { type DemoRandom, fileHashes } from './demo-random.ts';
import {
  ATTACKERS,
  COMPANY,
  type ExternalHost,
  mailAddress,
  server,
  WORKSTATIONS,
  type Workstation,
} from './organisation.ts';
import { externalFields, onWorkstation, processFields, userFields } from './scenarios/scene-fields.ts';

/** An observation as its sensor sends it, and when. */
export interface EventInput {
  readonly at: Date;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Moment {
  readonly random: DemoRandom;
  readonly workstation: Workstation;
  readonly attacker: ExternalHost;
}

interface Observation {
  readonly message: string;
  readonly dataset: string;
  readonly provider: string;
  readonly category: string;
  readonly type: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const PROGRAMS = [
  ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'chrome.exe --profile-directory=Default'],
  ['C:\\Windows\\System32\\svchost.exe', 'svchost.exe -k netsvcs -p -s Schedule'],
  ['C:\\Program Files\\7-Zip\\7zG.exe', '7zG.exe x -o"Downloads" -spe'],
  [
    'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    'powershell.exe Get-ADUser -Filter * -Properties LastLogonDate',
  ],
] as const;
const QUIET_NAMES = [
  'outlook.office365.example',
  'time.maplecrest.example',
  'crl.certs.example',
  'cdn.fonts.example',
] as const;

/** Observations of sensors: mostly ordinary, some of them towards the addresses of the alerts. */
const OBSERVATIONS: readonly ((moment: Moment) => Observation)[] = [
  ({ random, workstation }) => ({
    message: `${workstation.owner.username} signed in on ${workstation.name}`,
    dataset: 'windows.security',
    provider: 'Windows Security',
    category: 'authentication',
    type: 'start',
    action: 'logged-in',
    fields: { ...onWorkstation(workstation), source: { ip: workstation.ip, port: random.integer(49_200, 65_000) } },
  }),
  ({ random, workstation, attacker }) => {
    const name = random.chance(0.35) ? attacker.domain : random.pick(QUIET_NAMES);
    return {
      message: `${workstation.name} asked for ${name}`,
      dataset: 'zeek.dns',
      provider: 'Zeek',
      category: 'network',
      type: 'protocol',
      action: 'dns-query',
      fields: {
        ...onWorkstation(workstation),
        source: { ip: workstation.ip, port: random.integer(49_200, 65_000) },
        destination: { ip: server('MCM-DC01').ip, port: 53 },
        dns: { question: { name, type: 'A' }, type: 'query', response_code: 'NOERROR' },
        related: { hosts: [workstation.name, name], ip: [workstation.ip] },
      },
    };
  },
  ({ random, workstation }) => {
    const [path, commandLine] = random.pick(PROGRAMS);
    return {
      message: `${path.slice(path.lastIndexOf('\\') + 1)} started on ${workstation.name}`,
      dataset: 'endpoint.process',
      provider: 'Sentrywell Endpoint',
      category: 'process',
      type: 'start',
      action: 'process-created',
      fields: {
        ...onWorkstation(workstation),
        process: processFields({ path, commandLine, pid: random.integer(1000, 19_000) }),
        related: { hosts: [workstation.name], user: [workstation.owner.username], hash: [fileHashes(path).sha256] },
      },
    };
  },
  ({ random, workstation, attacker }) => ({
    message: `${workstation.ip} to ${attacker.ip}:443, ${random.integer(2, 900)} kB`,
    dataset: 'panw.panos',
    provider: 'PAN-OS',
    category: 'network',
    type: 'connection',
    action: 'allow',
    fields: {
      ...onWorkstation(workstation),
      source: { ip: workstation.ip, port: random.integer(49_200, 65_000), bytes: random.integer(900, 900_000) },
      destination: externalFields(attacker, 443),
      network: { direction: 'outbound', protocol: 'ssl', transport: 'tcp' },
      related: { ip: [workstation.ip, attacker.ip], hosts: [attacker.domain], user: [workstation.owner.username] },
    },
  }),
  ({ random, workstation: { owner }, attacker }) => {
    const from = random.chance(0.4) ? `info@${attacker.domain}` : `news@${random.pick(QUIET_NAMES)}`;
    const subject = random.pick([
      'Your weekly digest',
      'Minutes of Tuesday',
      'Re: broker terms',
      'Parcel waiting for you',
      'Invoice 88213',
    ]);
    return {
      message: `Mail "${subject}" from ${from} to ${mailAddress(owner)}`,
      dataset: 'o365.audit',
      provider: 'Defender for Office 365',
      category: 'email',
      type: 'info',
      action: 'delivered',
      fields: {
        user: userFields(owner),
        email: { subject, from: { address: from }, to: { address: mailAddress(owner) }, direction: 'inbound' },
        related: { user: [owner.username] },
      },
    };
  },
];

/** `count` observations of the last 30 days before `now`, oldest first. */
export function eventInputs(count: number, now: Date, random: DemoRandom, everybody: string): EventInput[] {
  return momentsBefore(now, count, random).map((at) => {
    const workstation = random.pick(WORKSTATIONS);
    const { fields, ...seen } = random.pick(OBSERVATIONS)({ random, workstation, attacker: random.pick(ATTACKERS) });
    return {
      at,
      input: {
        timestamp: at.toISOString(),
        message: seen.message,
        classification: everybody,
        organization: { name: COMPANY.name },
        observer: { product: seen.provider },
        event: {
          kind: 'event',
          category: [seen.category],
          type: [seen.type],
          action: seen.action,
          outcome: 'success',
          dataset: seen.dataset,
          provider: seen.provider,
          created: at.toISOString(),
          ingested: at.toISOString(),
        },
        ...fields,
        howler: {
          data: [JSON.stringify({ '@timestamp': at.toISOString(), message: seen.message, dataset: seen.dataset })],
        },
      },
    };
  });
}
