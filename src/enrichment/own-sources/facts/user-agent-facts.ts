import { type Fact, fact } from './fact.ts';

type Kind = 'browser' | 'bot' | 'tool' | 'library' | 'scanner';

/**
 * Programs by their words in a user agent, those that say most first: the words of browsers stand for
 * compatibility in others. `Edge=Edg` is the program Edge with the word Edg.
 */
const PROGRAMS: Readonly<Record<Kind, string>> = {
  scanner:
    'sqlmap Nikto Nmap masscan zgrab gobuster DirBuster ffuf=Fuzz feroxbuster Nuclei WPScan Hydra Acunetix OpenVAS ' +
    'Nessus Arachni w3af=w3af.org Wfuzz BurpSuite ZAP Censys=CensysInspect Expanse Shodan l9explore',
  tool:
    'curl Wget PowerShell=WindowsPowerShell PowerShell HTTPie Postman=PostmanRuntime Insomnia aria2 BITS CertUtil ' +
    'CryptoAPI=Microsoft-CryptoAPI WinHTTP=WinHttp.WinHttpRequest.5 Lynx Links w3m git SVN rclone',
  library:
    'python-requests python-urllib3 Python-urllib python-httpx aiohttp PycURL Scrapy Go-http-client okhttp ' +
    'Apache-HttpClient Java axios node-fetch undici got node-superagent libwww-perl Ruby Faraday PHP GuzzleHttp reqwest ' +
    'hyper Dalvik CFNetwork WinInet RestSharp Mechanize fasthttp http.rb',
  bot:
    'Googlebot bingbot Slurp DuckDuckBot Baiduspider YandexBot Applebot facebookexternalhit Twitterbot LinkedInBot ' +
    'Slackbot Slackbot=Slackbot-LinkExpanding TelegramBot Discordbot WhatsApp AhrefsBot SemrushBot MJ12bot PetalBot ' +
    'GPTBot ClaudeBot CCBot Bytespider UptimeRobot Pingdom=Pingdom.com_bot_version_1.4_',
  browser:
    'Edge=Edg Edge=EdgA Edge=EdgiOS Edge Opera=OPR Opera SamsungBrowser Vivaldi YaBrowser UCBrowser Brave SeaMonkey ' +
    'Thunderbird Firefox Firefox=FxiOS HeadlessChrome Chrome=CriOS Electron Chrome Safari=Version Konqueror Outlook ' +
    'Internet_Explorer=MSIE Internet_Explorer=rv',
};

interface Program {
  readonly kind: Kind;
  readonly name: string;
  readonly rank: number;
}

const KINDS = Object.keys(PROGRAMS) as Kind[];
/** Programs by their word in lower case. */
const BY_WORD: ReadonlyMap<string, Program> = new Map(
  KINDS.flatMap((kind) => PROGRAMS[kind].split(' ').map((entry) => ({ kind, entry }))).map(({ kind, entry }, rank) => {
    const [name = '', word = name] = entry.split('=');
    return [word.toLowerCase(), { kind, name: name.replace('_', ' '), rank }];
  }),
);
/** A word with the version after it: `curl/8.5.0`, `MSIE 9.0`, `rv:11.0`. */
const WORD = /([A-Za-z][A-Za-z0-9_.-]{1,40})(?:[/: ]v?([0-9][0-9A-Za-z._-]{0,30}))?/g;

const WINDOWS: Readonly<Record<string, string>> = {
  '5.0': '2000',
  '5.1': 'XP',
  '5.2': 'Server 2003',
  '6.0': 'Vista',
  '6.1': '7',
  '6.2': '8',
  '6.3': '8.1',
  '10.0': '10 or 11',
};

/** Operating systems by what the comment of a browser says; the first one found counts. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: (version: string) => string])[] = [
  [/Windows Phone(?: OS)? ([0-9.]{1,12})/i, (version) => `Windows Phone ${version}`],
  [/Windows NT ([0-9]{1,2}\.[0-9])/i, (version) => `Windows ${WINDOWS[version] ?? `NT ${version}`}`],
  [/Windows (9[58]|CE)/i, (version) => `Windows ${version}`],
  [/(?:iPhone|iPad|iPod)[^)]{0,100}? OS ([0-9_]{1,12})/i, (version) => `iOS ${version.replaceAll('_', '.')}`],
  [/Mac OS X ([0-9_.]{1,12})/i, (version) => `macOS ${version.replaceAll('_', '.')}`],
  [/Darwin\/([0-9.]{1,12})/i, (version) => `Darwin ${version}`],
  [/Android ([0-9.]{1,12})/i, (version) => `Android ${version}`],
  [/\bCrOS ([a-z0-9_]{1,12})/i, () => 'ChromeOS'],
  [/\b(Linux|FreeBSD|OpenBSD|NetBSD|SunOS)\b/i, (name) => name],
];

const DESCRIPTIONS: Readonly<Record<Kind, string>> = {
  browser: 'a browser or mail program',
  bot: 'a program that visits pages for a service',
  tool: 'a command-line tool',
  library: 'a library of programs, not a browser',
  scanner: 'a program that looks for weaknesses',
};
const SEVERITIES: Readonly<Partial<Record<Kind, number>>> = { scanner: 0.6, tool: 0.2, library: 0.2 };
/** Programs name themselves at the beginning. */
const MAX_READ = 1_000;

/** Returns the program and the operating system that a user agent claims to be. */
export function userAgentFacts(value: string): readonly Fact[] {
  const text = value.slice(0, MAX_READ).trim();
  if (text === '' || text === '-') return [fact('empty-user-agent', 'The client does not name itself.')];
  return [...programFacts(text), ...systemFacts(text)];
}

function programFacts(text: string): readonly Fact[] {
  const [found] = [...text.matchAll(WORD)]
    .flatMap(([, word = '', number]) => {
      const program = BY_WORD.get(word.toLowerCase());
      return program === undefined ? [] : [{ ...program, version: number === undefined ? '' : ` ${number}` }];
    })
    .sort((left, right) => left.rank - right.rank);
  if (found === undefined) return [];
  const { kind, name, version } = found;
  const severity = SEVERITIES[kind];
  return [
    // A client can call itself anything, and those that attack call themselves browsers.
    fact(`${name}${version}`, `The client calls itself ${name}${version}.`, { confidence: 0.6 }),
    fact(kind, `${name} is ${DESCRIPTIONS[kind]}.`, severity === undefined ? {} : { severity }),
  ];
}

function systemFacts(text: string): readonly Fact[] {
  for (const [pattern, name] of SYSTEMS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const system = name(match[1] ?? '');
    return [fact(system, `The client says that it runs on ${system}.`, { confidence: 0.5 })];
  }
  return [];
}
