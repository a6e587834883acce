import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/config.ts';
import { type ConfiguredList, readLists } from '../../enrichment/lists/configured-lists.ts';

/** For tests: a folder for lists and their files, which is removed after the test. */
export function listFolder(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'triad-lists-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const pathOf = (name: string) => join(folder, name);
  return {
    folder,
    pathOf,
    /** Writes a file of a list, and returns its path. */
    write(name: string, content: string | Uint8Array): string {
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
    /** Returns these lists, as a configuration has them. */
    configured(lists: readonly Readonly<Record<string, unknown>>[]): readonly ConfiguredList[] {
      const flags = { data_folder: join(folder, 'data'), 'enrichment.lists': lists };
      return readLists(loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname }, flags }), undefined);
    },
  };
}

interface TestContext {
  after(end: () => void): void;
}
