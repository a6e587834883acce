import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledList } from '../../enrichment/lists/compiled/compiled-list.ts';
import { ListWriter } from '../../enrichment/lists/compiled/list-writer.ts';
import type { ListEntry } from '../../enrichment/lists/list-entry.ts';

/** For tests: an entry of a list, without details unless they are given. */
export function anEntry(given: Partial<ListEntry> & Pick<ListEntry, 'value'>): ListEntry {
  return { match: 'exact', type: undefined, marking: undefined, details: undefined, ...given };
}

/** For tests: compiles entries into a file, which is removed after the test, and opens it. */
export function compileEntries(context: TestContext, entries: readonly ListEntry[]): CompiledList {
  const folder = mkdtempSync(join(tmpdir(), 'triad-list-'));
  const path = join(folder, 'list.sqlite');
  const writer = new ListWriter(path);
  for (const entry of entries) writer.add(entry);
  writer.finish({ settings: '', version: {}, source: undefined });
  const compiled = CompiledList.open(path);
  if (compiled === undefined) throw new Error('the compiled list is not complete');
  context.after(() => {
    compiled.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return compiled;
}

interface TestContext {
  after(end: () => void): void;
}
