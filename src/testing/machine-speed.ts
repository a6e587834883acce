/** Milliseconds of the work below on the machine of docs/benchmarks.md, with nothing else running. */
const REFERENCE = 31;
const RUNS = 5;

/**
 * Returns how many times slower this machine is now than that of docs/benchmarks.md; at least 1.
 * Tests multiply their limits by it: shared machines lose half of their speed to their neighbours for hours.
 * Takes about 0.2 s, during which the caller does nothing else.
 */
export function slowness(): number {
  const fastest = Math.min(...Array.from({ length: RUNS }, timeOfWork));
  return Math.max(1, fastest / REFERENCE);
}

/** Returns the milliseconds of work that waits for memory, allocates and reads text. */
function timeOfWork(): number {
  const began = performance.now();
  const table = new Int32Array(2 ** 22);
  let at = 1;
  for (let step = 0; step < 1_000_000; step += 1) {
    // A linear congruential generator: the next place is in no cache.
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    const place = at % table.length;
    table[place] = (table[place] ?? 0) + 1;
  }
  const groups = new Map<string, string[]>();
  for (let count = 0; count < 60_000; count += 1) {
    const word = `value ${count % 9973}`;
    const group = groups.get(word);
    if (group === undefined) groups.set(word, [word]);
    else group.push(word.slice(2));
  }
  const text = JSON.stringify([...groups.values()].slice(0, 2000));
  const numbers = text.matchAll(/\w+ (\d+)/g).reduce((count) => count + 1, 0);
  if (numbers !== JSON.parse(text).flat().length) throw new Error('The work of the measurement is wrong.');
  return performance.now() - began;
}
