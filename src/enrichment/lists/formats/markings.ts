/** Markings of the Traffic Light Protocol, versions 1 and 2, the least strict first. */
const LEVELS: readonly string[] = ['TLP:CLEAR', 'TLP:GREEN', 'TLP:AMBER', 'TLP:AMBER+STRICT', 'TLP:RED'];

/**
 * Stands for an unknown marking. It counts as the strictest, so that no entry reaches more users than
 * its author allowed.
 */
export const STRICTEST = 'TLP:RED';

/** Returns the strictest of several markings, in the spelling of version 2; undefined for none. */
export function strictestMarking(markings: Iterable<string>): string | undefined {
  let strictest = -1;
  for (const marking of markings) strictest = Math.max(strictest, levelOf(marking));
  return LEVELS[strictest];
}

/** Returns the place of a marking among the levels; unknown ones are the strictest. */
function levelOf(marking: string): number {
  const name = marking
    .trim()
    .toUpperCase()
    .replace(/^TLP:\s+/, 'TLP:')
    .replace('TLP:WHITE', 'TLP:CLEAR')
    .replace(/[\s_]+STRICT$/, '+STRICT');
  const level = LEVELS.indexOf(name);
  return level === -1 ? LEVELS.length - 1 : level;
}
