import { Random } from './random.ts';

/** Analyzers with the share of results that they find something in. */
const SERVICES = [
  'Characterize',
  'Extract',
  'YARA',
  'PE',
  'PDFId',
  'PeePDF',
  'Oletools',
  'FrankenStrings',
  'ConfigExtractor',
  'AntiVirus',
  'URLCreator',
  'EmlParser',
  'APKaye',
  'JsJaws',
  'Sigma',
  'CAPA',
  'Floss',
  'Intezer',
  'MetaPeek',
  'TagCheck',
  'Unpacker',
  'ViperMonkey',
  'XLMMacroDeobfuscator',
  'Suricata',
  'Safelist',
] as const;

export const CLASSIFICATIONS = ['UNRESTRICTED', 'RESTRICTED', 'RESTRICTED//SUPER USER'] as const;

const VIRUSES = ['Trojan', 'Worm', 'Dropper', 'Ransom', 'Backdoor', 'Adware'];
const TYPES = ['executable/windows/pe64', 'document/pdf', 'code/javascript', 'text/plain', 'archive/zip', 'code/ps1'];
const LIBRARIES = ['kernel32.dll', 'advapi32.dll', 'ws2_32.dll', 'wininet.dll', 'user32.dll', 'crypt32.dll'];
const HOUR = 3_600_000;
/** Days until results expire, more than they are old. */
const LIFETIME = 180;

const ipOf = (random: Random) => `198.${random.integer(20)}.${random.integer(256)}.${1 + random.integer(254)}`;
const domainOf = (random: Random) => domainNumber(random.skewed(30_000));
const wordOf = (random: Random) => random.hex(12);

/** Returns one of the domains of the results; low numbers are frequent. */
export function domainNumber(number: number): string {
  return `host${number}.example.${['com', 'net', 'org'][number % 3]}`;
}

/** Values of tags by type; types that are named first are frequent. */
const TAGS: readonly (readonly [type: string, value: (random: Random) => unknown])[] = [
  ['file.string.extracted', wordOf],
  ['network.static.domain', domainOf],
  ['network.static.ip', ipOf],
  ['network.static.uri', (random) => `https://${domainOf(random)}/${random.hex(8)}`],
  ['av.virus_name', (random) => `Win32.${random.pick(VIRUSES)}.${random.skewed(500)}`],
  ['file.pe.imports.imphash', (random) => random.hex(32)],
  ['file.pe.sections.name', (random) => random.pick(['.text', '.data', '.rsrc', '.reloc', '.upx0'])],
  ['attribution.family', (random) => `FAMILY${random.skewed(300)}`],
  ['file.lib', (random) => random.pick(LIBRARIES)],
  ['network.dynamic.domain', domainOf],
  ['network.dynamic.ip', ipOf],
  ['file.rule.yara', (random) => `rules.RULE_${random.skewed(2000)}`],
  ['file.behavior', (random) => `behaviour ${random.skewed(100)}`],
  ['technique.packer', (random) => `packer${random.skewed(40)}`],
  ['technique.obfuscation', (random) => `obfuscation${random.skewed(40)}`],
  ['file.name.extracted', (random) => `${random.hex(8)}.dll`],
  ['file.path', (random) => `C:\\Users\\user${random.skewed(5000)}\\${random.hex(6)}.exe`],
  ['dynamic.registry_key', (random) => `HKLM\\Software\\${random.hex(8)}`],
  ['dynamic.mutex', wordOf],
  ['dynamic.process.command_line', (random) => `powershell.exe -enc ${random.hex(24)}`],
  ['network.port', (random) => random.pick([22, 53, 80, 443, 3389, 8080])],
  ['network.protocol', (random) => random.pick(['http', 'https', 'dns', 'smtp'])],
  ['network.user_agent', (random) => `Agent/${random.skewed(50)}`],
  ['network.email.address', (random) => `user${random.skewed(5000)}@${domainOf(random)}`],
  ['network.email.subject', (random) => `Invoice ${random.hex(6)}`],
  ['cert.issuer', (random) => `C=CA, O=Issuer ${random.skewed(80)}`],
  ['cert.thumbprint', (random) => random.hex(40)],
  ['file.ole.macro.sha256', (random) => random.hex(64)],
  ['file.ole.summary.author', (random) => `author${random.skewed(900)}`],
  ['file.pdf.javascript.sha1', (random) => random.hex(40)],
  ['file.pe.pdb_filename', (random) => `C:\\build\\${random.hex(6)}.pdb`],
  ['file.pe.linker.timestamp', (random) => `20${10 + random.integer(16)}-01-02 03:04:05`],
  ['file.pe.versions.description', (random) => `Product ${random.skewed(700)}`],
  ['file.img.size', (random) => `${random.integer(2000)}x${random.integer(2000)}`],
  ['file.apk.permission', (random) => `android.permission.P${random.skewed(120)}`],
  ['file.elf.libraries', (random) => `lib${random.skewed(200)}.so`],
  ['file.shortcut.machine_id', (random) => `ws-${random.skewed(3000)}`],
  ['attribution.actor', (random) => `ACTOR${random.skewed(60)}`],
  ['attribution.campaign', (random) => `campaign${random.skewed(80)}`],
  ['code.sha256', (random) => random.hex(64)],
];

/** Techniques by identifier. */
const TECHNIQUES = [
  { attack_id: 'T1027', pattern: 'Obfuscated Files or Information', categories: ['defense-evasion'] },
  { attack_id: 'T1059', pattern: 'Command and Scripting Interpreter', categories: ['execution'] },
  { attack_id: 'T1071', pattern: 'Application Layer Protocol', categories: ['command-and-control'] },
  { attack_id: 'T1547', pattern: 'Boot or Logon Autostart Execution', categories: ['persistence'] },
];

const WORDS = 'the file was seen to open a connection and write the decoded script into a folder of the user'.split(
  ' ',
);

function bodyOf(random: Random): string {
  const words = Array.from({ length: 8 + random.integer(24) }, () => random.pick(WORDS));
  return `${words.join(' ')} ${random.hex(8)}`;
}

function tagsOf(random: Random): Record<string, unknown> {
  const tags: Record<string, unknown> = {};
  for (let count = random.integer(5); count > 0; count -= 1) {
    const [type, value] = TAGS[random.skewed(TAGS.length)] ?? ['file.lib', wordOf];
    const names = type.split('.');
    const last = names.pop() ?? '';
    let branch = tags;
    for (const name of names) {
      branch[name] ??= {};
      branch = branch[name] as Record<string, unknown>;
    }
    const values = [...((branch[last] as unknown[] | undefined) ?? []), value(random)];
    branch[last] = [...new Set(values)];
  }
  return tags;
}

function sectionOf(random: Random, service: string, depth: number, score: number) {
  const heuristic = `${service.toUpperCase()}.${1 + random.skewed(20)}`;
  return {
    body: bodyOf(random),
    body_format: 'TEXT',
    classification: random.integer(10) === 0 ? random.pick(CLASSIFICATIONS) : CLASSIFICATIONS[0],
    depth,
    title_text: `${service} found ${random.pick(WORDS)} ${random.skewed(400)}`,
    tags: tagsOf(random),
    ...(score === 0
      ? {}
      : {
          heuristic: {
            heur_id: heuristic,
            name: `Heuristic ${heuristic}`,
            score,
            attack: random.integer(3) === 0 ? [random.pick(TECHNIQUES)] : [],
            signature: random.integer(3) === 0 ? [{ name: `RULE_${random.skewed(2000)}`, frequency: 1 }] : [],
          },
        }),
  };
}

export interface ResultPlace {
  readonly sha256: string;
  /** Number of the analyzer, each of them once for a file. */
  readonly service: number;
  readonly classification: string;
  /** Files that the analyzer extracted. */
  readonly extracted?: readonly string[];
  readonly created: number;
}

/** Returns the key and the document of result number `n`, as an analyzer's answer is stored. */
export function benchResult(n: number, place: ResultPlace): { readonly id: string; readonly document: unknown } {
  const random = new Random(n);
  const { sha256, classification, extracted = [] } = place;
  const service = SERVICES[place.service % SERVICES.length] ?? SERVICES[0];
  const version = `4.7.0.stable${place.service % 3}`;
  const sections = Array.from({ length: 1 + random.integer(3) }, (_, at) =>
    sectionOf(random, service, at === 0 ? 0 : 1, random.integer(4) === 0 ? 10 * random.skewed(100) : 0),
  );
  const created = new Date(place.created).toISOString();
  const score = sections.reduce((sum, section) => sum + (section.heuristic?.score ?? 0), 0);
  return {
    id: `${sha256}.${service}.v${version.replaceAll('.', '_')}.c0`,
    document: {
      classification,
      created,
      expiry_ts: new Date(place.created + 24 * HOUR * LIFETIME).toISOString(),
      response: {
        milestones: { service_started: created, service_completed: created },
        service_name: service,
        service_version: version,
        extracted: extracted.map((hash) => ({
          ...{ name: `${hash.slice(0, 8)}.bin`, sha256: hash, description: 'extracted from the archive' },
          classification,
        })),
      },
      result: { score, sections },
      sha256,
      size: 100 + random.integer(9_000_000),
      type: random.pick(TYPES),
    },
  };
}
