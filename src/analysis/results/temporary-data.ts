import { isDeepStrictEqual } from 'node:util';

interface TemporaryData {
  /** New and changed values by name. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** Names whose values are longer than allowed. */
  readonly tooLong: readonly string[];
}

/** Returns the temporary data that a result changes; what is too long is left out. */
export function changedTemporaryData(
  sent: Readonly<Record<string, unknown>>,
  before: readonly { readonly name: string; readonly value: unknown }[],
  longest: number,
): TemporaryData {
  const old = new Map(before.map(({ name, value }) => [name, value]));
  const tooLong: string[] = [];
  const kept = Object.entries(sent).filter(([name, value]) => {
    if (value === undefined || (old.has(name) && isDeepStrictEqual(old.get(name), value))) return false;
    const fits = Buffer.byteLength(JSON.stringify(value)) <= longest;
    if (!fits) tooLong.push(name);
    return fits;
  });
  return { kept: Object.fromEntries(kept), tooLong };
}
