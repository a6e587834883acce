const DOMAINS = [
  'localhost',
  'www.w3.org',
  'schemas.openxmlformats.org',
  'schemas.microsoft.com',
  'schemas.xmlsoap.org',
  'schemas.android.com',
  'xmlpull.org',
  'purl.org',
  'ns.adobe.com',
];
const AUTHORITIES = '(?:digicert|globalsign|verisign|sectigo|entrust)\\.(?:com|net)';
const OWN_NETWORKS =
  '(?:127|10)\\.\\d+\\.\\d+\\.\\d+|192\\.168\\.\\d+\\.\\d+|172\\.(?:1[6-9]|2\\d|3[01])\\.\\d+\\.\\d+';
const IP_PATTERNS = [
  '(?:127|10)\\.',
  '192\\.168\\.',
  '172\\.(?:1[6-9]|2\\d|3[01])\\.',
  '169\\.254\\.',
  '::1$',
  '(?i:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):',
];
const DOMAIN_PATTERNS = [
  '(?i:(?:[^.]+\\.)*(?:in-addr|ip6)\\.arpa)$',
  '(?i:(?:[^.]+\\.)*(?:microsoft|windowsupdate)\\.com)$',
  '(?i:(?:[^.]+\\.)*(?:localhost|local))$',
  `(?i:(?:crl|ocsp)\\d?\\.(?:[^.]+\\.)*${AUTHORITIES})$`,
];
const URI_PATTERNS = [
  `(?i:(?:http|ftp)s?://(?:localhost|${OWN_NETWORKS})(?::\\d+)?(?:/.*)?)$`,
  'https?://www\\.w3\\.org/',
  'https?://schemas\\.(?:openxmlformats\\.org|microsoft\\.com|xmlsoap\\.org|android\\.com)/',
  'https?://(?:www\\.)?purl\\.org/dc/',
  'https?://ns\\.adobe\\.com/',
  `https?://(?:crl|ocsp)\\d?\\.(?:[^./]+\\.)*${AUTHORITIES}(?:/.*)?$`,
];

/**
 * The tag safelist of an installation whose administrators wrote none.
 * It holds this machine, private networks (RFC 1918, RFC 4193, link-local), and names that file formats, certificates
 * and idle operating systems contain by themselves.
 */
export const DEFAULT_TAG_SAFELIST = `# Tags that say nothing about a file.
# match: values, by type of tag. regex: patterns that values begin with, by type of tag (syntax of RE2).
match:
${lists('domain', DOMAINS)}
regex:
${lists('ip', IP_PATTERNS)}
${lists('domain', DOMAIN_PATTERNS)}
${lists('uri', URI_PATTERNS)}
`;

/** Returns the same list for what was seen in a file and while it ran. */
function lists(kind: string, values: readonly string[]): string {
  const items = values.map((value) => `    - '${value}'`);
  return ['dynamic', 'static'].map((origin) => [`  network.${origin}.${kind}:`, ...items].join('\n')).join('\n');
}
