export type Claims = Readonly<Record<string, unknown>>;
/** Claims of one login by token, and of its profile. The first document with a claim determines it. */
export type ClaimDocuments = readonly [Claims, ...Claims[]];

const MAX_MATCHED = 1024;
/** RFC 5321 section 4.5.3.1: 64 characters before the sign and 255 after it. */
const MAX_ADDRESS = 320;

/** Returns the earliest time of issue in milliseconds since 1970, if a document contains one. */
export function issueTimeOf(documents: readonly Claims[]): number | undefined {
  const times = documents.map(({ iat }) => iat).filter((iat) => typeof iat === 'number');
  return times.length === 0 ? undefined : Math.min(...times) * 1000;
}

/** Matches each value of a claim. Longer values are skipped, because the pattern may be slow. */
export function matchesOf(claim: unknown, pattern: RegExp): readonly RegExpExecArray[] {
  return textsOf(claim)
    .filter((text) => text.length <= MAX_MATCHED)
    .map((text) => pattern.exec(text))
    .filter((match) => match !== null);
}

/** Replaces `$1` in a name by the first group of the match. */
export function withMatch(name: string, match: RegExpExecArray): string {
  return name.replaceAll(/\$(\d+)/g, (place, index: string) => match[Number(index)] ?? place);
}

/** Returns `Ada Lovelace` for `Lovelace, Ada`. */
export function displayName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const comma = name.indexOf(', ');
  return comma === -1 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
}

/** Returns the first string among these claims. */
export function firstText(claims: Claims, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(claims[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns a claim that is a non-empty string without NUL. */
export function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.isWellFormed() && !claim.includes('\0') ? claim : undefined;
}

/**
 * Returns an address in lower case. Undefined if it is too long, which makes patterns of settings
 * slow, or has letters whose lower case is ASCII, like the Kelvin sign: that would be the address of another person.
 */
export function lowerCaseAddress(address: string): string | undefined {
  if (address.length > MAX_ADDRESS) return undefined;
  const isOwn = [...address].every((letter) => letter <= '\x7f' || letter.toLowerCase() > '\x7f');
  return isOwn ? address.toLowerCase() : undefined;
}

/** Returns the values of a claim, which may be a list. Numbers and booleans become strings. */
export function textsOf(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return textOf(value) ?? [];
  });
}
