/** Identifiers are made of printable ASCII nearly always; others are found, only less evenly. */
const FIRST = 0x20;
const LAST = 0x7e;
const MAX_LENGTH = 64;

/**
 * Returns a string about midway between two others in code unit order.
 * Undefined when there is none of reasonable length. `to` undefined: no upper bound.
 */
export function textBetween(from: string, to: string | undefined): string | undefined {
  let text = '';
  let bounded = to !== undefined;
  for (let at = 0; at < MAX_LENGTH; at += 1) {
    const low = at < from.length ? clamp(from.charCodeAt(at)) : FIRST - 1;
    const high = bounded && to !== undefined ? (at < to.length ? clamp(to.charCodeAt(at)) : FIRST - 1) : LAST + 1;
    if (high - low > 1) return text + String.fromCharCode(low + Math.floor((high - low) / 2));
    if (high < low) return undefined;
    // Nothing fits between the two here: go on below the lower one.
    if (low < FIRST) return undefined;
    text += String.fromCharCode(low);
    if (high > low) bounded = false;
  }
  return undefined;
}

function clamp(unit: number): number {
  return Math.min(LAST, Math.max(FIRST, unit));
}
