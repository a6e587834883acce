import { DOMAIN_REGEX, IP_REGEX } from '../../../documents/schema/values/patterns.ts';

const LOCAL_PART = "[a-zA-Z0-9!#$%&'*+/=?^_‘{|}~-]+";

/** Patterns of indicators, in the order in which they are tried (contract/alert.md 5.3). */
const PATTERNS = {
  address: new RegExp(IP_REGEX),
  hash: /^(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64})$/i,
  email: new RegExp(`^${LOCAL_PART}(?:\\.${LOCAL_PART})*@${DOMAIN_REGEX.slice(1)}`),
  url: /^[a-z][a-z0-9+.-]*:\/\//i,
  domain: new RegExp(DOMAIN_REGEX),
} as const;

export type TokenKind = keyof typeof PATTERNS | 'text';

/** Returns the kind of a whole query. */
export function tokenKind(query: string): TokenKind {
  for (const [kind, pattern] of Object.entries(PATTERNS)) if (pattern.test(query)) return kind as TokenKind;
  return 'text';
}
