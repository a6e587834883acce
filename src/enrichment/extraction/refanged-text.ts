/** Text with defanged indicators written out, and where its characters were in the original. */
export interface RefangedText {
  readonly text: string;
  /** Returns the place in the original of a place in the text. */
  readonly originalPlace: (place: number) => number;
  /** True if the original has a defanged form between two places of the text. */
  readonly isDefanged: (start: number, end: number) => boolean;
}

/**
 * Forms in which reports write addresses, so that they are not followed by accident. Each is
 * of bounded length, so the time is linear.
 */
const DEFANGED =
  /[[({<]\s?(?:\.|dot)\s?[\])}>]|[[({]\s?(?:@|at)\s?[\])}]|[[(]:\/\/[\])]|[[(]:[\])]|[[(]\/[\])]|\bh(?:xx|tx|xt|\*\*)p(?=s?[[(]?:)|\bfxp(?=s?[[(]?:)|\\\.|\[\.(?=[a-z0-9])/gi;

/** Writes defanged forms out: `hxxp`, `[.]`, `(dot)`, `[at]`, `[:]//`. */
export function refang(original: string): RefangedText {
  // Places after each replacement, in the text and in the original, ascending.
  const places: number[] = [];
  const originals: number[] = [];
  let text = '';
  let end = 0;
  for (const match of original.matchAll(DEFANGED)) {
    text += original.slice(end, match.index) + plainForm(match[0]);
    end = match.index + match[0].length;
    places.push(text.length);
    originals.push(end);
  }
  if (end === 0) return { text: original, originalPlace: (place) => place, isDefanged: () => false };
  text += original.slice(end);
  return {
    text,
    originalPlace: (place) => {
      const index = lastAtMost(places, place);
      return index === -1 ? place : (originals[index] ?? 0) + place - (places[index] ?? 0);
    },
    isDefanged: (from, to) => lastAtMost(places, to) > lastAtMost(places, from),
  };
}

function plainForm(form: string): string {
  const first = form.charAt(0);
  if (first === 'h' || first === 'H') return 'http';
  if (first === 'f' || first === 'F') return 'ftp';
  if (form.includes('://')) return '://';
  if (form.includes(':')) return ':';
  if (form.includes('/')) return '/';
  return /@|at/i.test(form) ? '@' : '.';
}

/** Returns the index of the last number that is at most `limit`; -1 for none. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
