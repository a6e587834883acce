import { type ListedValue, valueOfType } from '../selector-values.ts';

/** Properties of observables, in lower case and without quotes → type of selector. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['ipv4-addr:value', 'ipv4'],
  ['ipv6-addr:value', 'ipv6'],
  ['network-traffic:src_ref.value', 'ip'],
  ['network-traffic:dst_ref.value', 'ip'],
  ['domain-name:value', 'domain'],
  ['url:value', 'url'],
  ['email-addr:value', 'email_address'],
  ['email-message:from_ref.value', 'email_address'],
  ['email-message:sender_ref.value', 'email_address'],
  ...['file', 'artifact'].flatMap((kind): [string, string][] => [
    [`${kind}:hashes.md5`, 'md5'],
    [`${kind}:hashes.sha-1`, 'sha1'],
    [`${kind}:hashes.sha1`, 'sha1'],
    [`${kind}:hashes.sha-256`, 'sha256'],
    [`${kind}:hashes.sha256`, 'sha256'],
    [`${kind}:hashes.sha-512`, 'sha512'],
    [`${kind}:hashes.sha512`, 'sha512'],
  ]),
]);

/** Characters of a pattern that is read. */
const MAX_PATTERN = 10_000;
/**
 * One comparison of a property with a string (STIX 2.1 section 9). Each part ends where the next
 * begins, so the time is linear.
 */
const COMPARISON = /^\s*\[\s*([a-z0-9-]+:[^\s=[\]]+)\s*(=|\sISSUBSET\s)\s*'((?:[^'\\]|\\.)*)'\s*\]\s*$/s;

/**
 * Returns the value that a pattern of one comparison is about: `[ipv4-addr:value = '198.51.100.3']`,
 * and with ISSUBSET a network. Undefined for other patterns, and for values that are not of the type
 * that the property has.
 */
export function readStixPattern(pattern: string): ListedValue | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const [, property = '', operator = '', literal = ''] = COMPARISON.exec(pattern) ?? [];
  const type = TYPES.get(property.replaceAll(/['"]/g, '').toLowerCase());
  if (type === undefined) return undefined;
  const value = valueOfType(type, literal.replaceAll(/\\(['\\])/g, '$1'));
  return value === undefined || (operator !== '=' && !isAddress(value)) ? undefined : value;
}

function isAddress({ type }: ListedValue): boolean {
  return type === 'ipv4' || type === 'ipv6';
}
