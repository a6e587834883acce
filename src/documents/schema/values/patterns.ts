import type { ValueContent } from '../field-spec.ts';

/** Patterns of values; clients show them (field catalogue), so their text is part of the interface. */
const IPV4 = '(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const IPV4_TAIL =
  '(?:(?:25[0-5]|(?:2[0-4]|1{0,1}[0-9]){0,1}[0-9])\\.){3,3}(?:25[0-5]|(?:2[0-4]|1{0,1}[0-9]){0,1}[0-9])';
const HEX = '[0-9a-fA-F]{1,4}';
const IPV6 = [
  `(?:${HEX}:){7,7}${HEX}`,
  `(?:${HEX}:){1,7}:`,
  `(?:${HEX}:){1,6}:${HEX}`,
  `(?:${HEX}:){1,5}(?::${HEX}){1,2}`,
  `(?:${HEX}:){1,4}(?::${HEX}){1,3}`,
  `(?:${HEX}:){1,3}(?::${HEX}){1,4}`,
  `(?:${HEX}:){1,2}(?::${HEX}){1,5}`,
  `${HEX}:(?:(?::${HEX}){1,6})`,
  `:(?:(?::${HEX}){1,7}|:)`,
  'fe80:(?::[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(?:ffff(?::0{1,4}){0,1}:){0,1}${IPV4_TAIL}`,
  `(?:${HEX}:){1,4}:${IPV4_TAIL}`,
].join('|');

const DOMAIN_CHARACTER = 'A-Za-z0-9\\u00a1-\\uffff';
const DOMAIN = `(?:(?:[${DOMAIN_CHARACTER}][${DOMAIN_CHARACTER}_-]{0,62})?[${DOMAIN_CHARACTER}]\\.)+(?:xn--)?(?:[${DOMAIN_CHARACTER}]{2,}\\.?)`;

export const DOMAIN_REGEX = `^${DOMAIN}$`;
export const IP_REGEX = `^(?:${IPV4}|(?:${IPV6}))$`;
/** Named in error texts only: what it takes is read by `internet-names.ts`, in linear time. */
export const URI_REGEX = `^((?:(?:[A-Za-z]*:)?//)?(?:\\S+(?::\\S*)?@)?((?:${IPV4}|(?:${IPV6}))|${DOMAIN})(?::\\d{2,5})?)(?:[/?#]\\S*)?$`;

/** Path of a URI with its query and fragment. */
export const URI_PATH_REGEX = '^[/?#]\\S*';
const PORT = '(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const UNC_HOST = '[a-zA-Z0-9_\\s-]{1,63}';
/** Path of a file on another Windows machine. */
export const UNC_PATH_REGEX = `^\\\\\\\\${UNC_HOST}(?:\\.${UNC_HOST}){0,3}(?:@SSL)?(?:@${PORT})?(?:\\\\[^\\\\/:*?"<>|\\r\\n]{1,64})+\\\\*$`;
/** Telephone number of North America, or with another country code. */
export const PHONE_REGEX = '^(\\+?\\d{1,2})?[ .-]?(\\(\\d{3}\\)|\\d{3})[ .-](\\d{3})[ .-](\\d{4})$';
export const PLATFORM_REGEX = '^(Windows|Linux|MacOS|Android|iOS)$';
export const PROCESSOR_REGEX = '^x(64|86)$';
/** Fingerprint of a TLS client or server. */
export const JA4_REGEX = '^(t|q)([sd]|[0-3]){2}(d|i)\\d{2}\\d{2}\\w{2}_[a-f0-9]{12}_[a-f0-9]{12}';

const BY_TYPE: { readonly [Type in ValueContent['type']]?: string } = {
  ip: IP_REGEX,
  mac: '^(?:(?:[0-9a-f]{2}-){5}[0-9a-f]{2}|(?:[0-9a-f]{2}:){5}[0-9a-f]{2})$',
  md5: '^[a-f0-9]{32}$',
  sha1: '^[a-f0-9]{40}$',
  sha256: '^[a-f0-9]{64}$',
  hash: '^[a-f0-9]{1,64}$',
  ssdeep: '^[0-9]{1,18}:[a-zA-Z0-9/+]{0,64}:[a-zA-Z0-9/+]{0,64}$',
};

/** The pattern that values must match, as clients see it; undefined where there is none. */
export function regexOf(content: ValueContent): string | undefined {
  return content.regex ?? BY_TYPE[content.type];
}
