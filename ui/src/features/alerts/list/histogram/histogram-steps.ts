const STEPS = 90;
/** Round lengths of a bar in seconds, so that bars begin at times that people know. */
const LENGTHS = [
  1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 86_400, 259_200, 604_800, 2_592_000, 7_776_000, 31_536_000,
];

/** Returns at most 90 steps of a round length that hold both times. */
export function stepsOf(
  first: number,
  last: number,
): { readonly start: number; readonly end: number; readonly gap: number } {
  const wanted = (last - first) / STEPS / 1000;
  const longest = LENGTHS.at(-1) ?? 1;
  const length = LENGTHS.find((one) => one >= wanted) ?? Math.ceil(wanted / longest) * longest;
  const gap = length * 1000;
  const start = Math.floor(first / gap) * gap;
  return { start, end: Math.floor(last / gap) * gap + gap, gap };
}
