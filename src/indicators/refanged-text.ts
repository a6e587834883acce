/** Text without defanged forms, and where its characters were in the original. */
export interface RefangedText {
  readonly text: string;
  /** Returns the place in the original of a place in the text. */
  readonly originalPlace: (place: number) => number;
  /** True if the original has a defanged form between two places of the text. */
  readonly isDefanged: (start: number, end: number) => boolean;
}

/**
 * Forms in which reports write indicators, so that they are not followed by accident. Each has a
 * bounded length, so the time is linear in the length of the text.
 */
const DEFANGED_IN_TEXT =
  /[[({<]\s?(?:\.|dot)\s?[\])}>]|[[({]\s?(?:@|at)\s?[\])}]|[[(]:\/\/[\])]|[[(]:[\])]|[[(]\/[\])]|\bh(?:xx|tx|xt|\*\*)p(?=s?[[(]?:)|\bfxp(?=s?[[(]?:)|\\\.|\[\.(?=[a-z0-9])/gi;

/** Replaces the defanged forms in text: `hxxp`, `[.]`, `(dot)`, `[at]`, `[:]//`. */
export function refangText(original: string): RefangedText {
  // Places after each replacement, in the text and in the original, ascending.
  const places: number[] = [];
  const originals: number[] = [];
  let text = '';
  let end = 0;
  for (const match of original.matchAll(DEFANGED_IN_TEXT)) {
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

/**
 * Defanged forms of a whole address, those of the public analysis service: the hash of a submitted
 * address depends on them. They are fewer than those in text, where what surrounds a form is unknown,
 * and add braces; `hxxp` counts at the start alone, because a query may hold it.
 */
const DEFANGED_ADDRESS: readonly (readonly [RegExp, string])[] = [
  [/[([{](?:\.|dot)[)\]}]/gi, '.'],
  [/\\\./g, '.'],
  [/[([{]\/[)\]}]/g, '/'],
  [/[([{]:[)\]}]/g, ':'],
  [/[([{]:\/\/[)\]}]/g, '://'],
  [/^hxx?p(s?)\[?:\]?\/\//gi, 'http$1://'],
  [/^fxp(s?)\[?:\]?\/\//gi, 'ftp$1://'],
];

/** Returns an address as programs write it: `hxxps://a[.]example` gives `https://a.example`. */
export function refangAddress(address: string): string {
  return DEFANGED_ADDRESS.reduce((text, [form, plain]) => text.replaceAll(form, plain), address);
}
