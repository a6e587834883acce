import type { Analyzer } from './analyzer.ts';

/** Code by the name of the analyzer, loaded when the process gets its first task. */
const ANALYZERS: ReadonlyMap<string, () => Promise<Analyzer>> = new Map([
  ['Characterize', async () => (await import('./characterize/characterize.ts')).characterize],
  ['Extract', async () => (await import('./extract/extract.ts')).extract],
]);

/** Loads the code of a built-in analyzer. */
export async function loadAnalyzer(name: string): Promise<Analyzer> {
  const load = ANALYZERS.get(name);
  if (load === undefined) throw new Error(`There is no built-in analyzer "${name}".`);
  return load();
}
