/**
 * The alerts that the bench stores: 45 filled fields each, the same sequence for every run and for
 * both sides (the program and
 * the raw engine), with the value distributions of a real alert queue: few analytics, many addresses, free text, skewed states.
 */

const ANALYTICS = [
  'Password Checker',
  'Bad Guy Finder',
  'Exploit Patcher',
  'Impossible Travel',
  'DNS Tunnel',
  'Rare Parent Process',
];
const DETECTIONS = [
  'Many failures',
  'New country',
  'Encoded command',
  'Long subdomain',
  'Unsigned driver',
  'Off-hours logon',
];
const STATUSES = ['open', 'open', 'open', 'in-progress', 'on-hold', 'open'];
const ESCALATIONS = ['hit', 'hit', 'hit', 'alert', 'hit'];
const CATEGORIES = ['malware', 'intrusion_detection', 'authentication', 'network', 'process'];
const PROCESSES = ['powershell.exe', 'cmd.exe', 'rundll32.exe', 'svchost.exe', 'python.exe', 'sshd', 'bash'];
const DAY = 86_400_000;

/** Small deterministic generator (mulberry32): the bench must store the same alerts each time. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type BenchAlert = Record<string, unknown>;

/** Alert number `n`, nested as a client would send it; created within the 90 days before `now`. */
export function benchAlert(n: number, now: number): BenchAlert {
  const random = randomNumbers(n * 2_654_435_761 + 7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const integer = (limit: number) => Math.floor(random() * limit);
  const hex = (length: number) => {
    let text = '';
    while (text.length < length)
      text += Math.floor(random() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0');
    return text;
  };
  const address = (net: number) => `${net}.${integer(64)}.${integer(256)}.${1 + integer(254)}`;
  const created = new Date(now - integer(90 * DAY)).toISOString();
  const user = `user${integer(5000)}`;
  const host = `ws-${String(integer(20_000)).padStart(5, '0')}`;
  const source = address(10);
  const destination = address(198);
  const sha256 = hex(64);
  const domain = `host${integer(3000)}.example.${pick(['com', 'net', 'org'])}`;
  const executable = pick(PROCESSES);
  return {
    howler: {
      analytic: pick(ANALYTICS),
      detection: pick(DETECTIONS),
      hash: hex(64),
      status: pick(STATUSES),
      escalation: pick(ESCALATIONS),
      score: integer(1000),
      severity: integer(10),
      outline: {
        threat: source,
        target: host,
        indicators: [destination, domain],
        summary: `${executable} on ${host} reached ${domain}`,
      },
      labels: { generic: [pick(['triage', 'tuned', 'vip']), pick(['weekday', 'weekend'])] },
    },
    event: {
      created,
      start: created,
      kind: 'alert',
      category: [pick(CATEGORIES)],
      action: pick(['logon-failed', 'process-started', 'connection-opened']),
      severity: integer(100),
      provider: 'bench',
      reason: `User ${user} ran ${executable} with an unusual argument list on ${host} and then opened ${integer(40)} connections`,
    },
    source: { ip: source, port: 1024 + integer(60_000), bytes: integer(5_000_000_000) },
    destination: { ip: destination, port: pick([22, 53, 80, 443, 3389]), bytes: integer(1_000_000), domain },
    user: { name: user, domain: pick(['CORP', 'LAB']) },
    host: { name: host, ip: [source] },
    process: { pid: integer(65_000), name: executable, command_line: `${executable} -enc ${hex(40)}` },
    file: { name: `${hex(8)}.dll`, size: integer(9_000_000), hash: { sha256 } },
    related: { ip: [source, destination], user: [user], hash: [sha256] },
    rule: { id: `R-${integer(400)}` },
    network: { transport: pick(['tcp', 'udp']), direction: pick(['inbound', 'outbound']) },
    message: `${executable} contacted ${domain} from ${host} as ${user}`,
    tags: [pick(['red', 'blue']), pick(['edr', 'siem'])],
  };
}

/** Number of leaf fields that an alert fills; lists count once. */
export function filledFields(value: unknown): number {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + filledFields(child), 0);
}
