/** Dotted decimal. */
const IPV4 = '(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const domainOf = (letters: string) =>
  `(?:(?=[${letters}0-9-]{1,63}\\.)(?:xn--[${letters}0-9](?:[${letters}0-9-]*[${letters}0-9])?` +
  `|[${letters}0-9](?:[${letters}0-9-]*[${letters}0-9])?)\\.)+[${letters}]{2,63}`;
const DOMAIN = domainOf('a-z');
const DOMAIN_OF_URL = domainOf('a-zA-Z');
/** The quote is U+2018, as the public system has it. */
const LOCAL_PART = "[a-zA-Z0-9!#$%&'*+/=?^_‘{|}~-]+";
const GROUP = '[0-9a-fA-F]{1,4}';
/** IPv4 at the end of IPv6. */
const EMBEDDED_IPV4 =
  '(?:(?:25[0-5]|(?:2[0-4]|1{0,1}[0-9]){0,1}[0-9])\\.){3,3}(?:25[0-5]|(?:2[0-4]|1{0,1}[0-9]){0,1}[0-9])';
const IPV6 = `(?:${[
  `(?:${GROUP}:){7,7}${GROUP}`,
  `(?:${GROUP}:){1,7}:`,
  `(?:${GROUP}:){1,6}:${GROUP}`,
  `(?:${GROUP}:){1,5}(?::${GROUP}){1,2}`,
  `(?:${GROUP}:){1,4}(?::${GROUP}){1,3}`,
  `(?:${GROUP}:){1,3}(?::${GROUP}){1,4}`,
  `(?:${GROUP}:){1,2}(?::${GROUP}){1,5}`,
  `${GROUP}:(?:(?::${GROUP}){1,6})`,
  `:(?:(?::${GROUP}){1,7}|:)`,
  'fe80:(?::[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(?:ffff(?::0{1,4}){0,1}:){0,1}${EMBEDDED_IPV4}`,
  `(?:${GROUP}:){1,4}:${EMBEDDED_IPV4}`,
].join('|')})`;
const URI = `((?:(?:[A-Za-z][A-Za-z0-9+.-]*:)//(?:[^/?#\\s]+@)?)?(${IPV4}|\\[${IPV6}\\]|${DOMAIN_OF_URL})(?::\\d{1,5})?([/?#]\\S*)?)`;
const PORT = '0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]';

/**
 * The types of values that every installation knows (contract/enrichment.md section 3.4), the most
 * specific first: clients take the first one whose expression fits. Null: clients do not detect
 * it.
 */
export const BUILTIN_TYPES: Readonly<Record<string, string | null>> = {
  sha256: '^[a-fA-F0-9]{64}$',
  sha1: '^[a-fA-F0-9]{40}$',
  md5: '^[a-fA-F0-9]{32}$',
  'tenant-id': '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  ipv4: `^${IPV4}$`,
  ipv6: `^${IPV6}$`,
  port: `^(${PORT})$`,
  email_address: `^${LOCAL_PART}(?:\\.${LOCAL_PART})*@(${DOMAIN})$`,
  email_path: '^[A-Z]+_EMAIL://.*',
  domain: `^${DOMAIN}$`,
  url: `^${URI}$`,
  // Not anchored in the public system: it is found in every IPv4 address.
  hbs_agent_id: `${GROUP}\\.${GROUP}\\.${GROUP}\\.${GROUP}`,
  email_id: null,
  hbs_oid: null,
  hostname: null,
  howler_id: null,
  ip: null,
  telemetry: null,
  user_agent: null,
  userid: null,
};
