import { join } from 'node:path';
import type { Rolldown } from 'vite';

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>;
type Context = Parameters<Extract<Groups[number]['name'], (...given: never[]) => unknown>>[1];

const OVERLAYS = ['menu-parts', 'popover-surface', 'dialog-surface', 'tooltip-host', 'toaster'];
/**
 * Files by the moment at which they are needed, the first one first. Each has what its modules reach by
 * static imports and no earlier file has.
 */
const MOMENTS: readonly (readonly [name: string, ...modules: readonly string[]])[] = [
  ['start', 'src/main.tsx'],
  // The sentences of the parser are part of the messages, in every language.
  ['sign-in', 'src/shell/sign-in/sign-in-page.tsx', '../src/datastore/regular-language/query-problems.ts'],
  ['frame', 'src/shell/application.tsx'],
  ['list', 'src/features/alerts/list/alerts-page.tsx'],
  ['editor', 'src/features/query/editor/query-editor.ts'],
  ['overlays', ...OVERLAYS.map((name) => `src/design/overlays/${name}.tsx`)],
];
/**
 * Bytes of sources below which what some pages share goes into the file of what others share. With 30,000, pages
 * loaded up to 90 kB, most of it of others; with 4,000, 54 kB in as many files.
 */
const SMALL = 4_000;

/**
 * Returns how modules become files. A browser fetches six files at a time by HTTP/1.1: the hundreds of
 * small ones of the usual splitting took longer than their bytes, and each was compressed alone.
 * @param root absolute path of the folder with `src/`
 */
export function chunkGroups(root: string): Groups {
  const moments = MOMENTS.map(([name, ...modules], index) => {
    let reached: ReadonlySet<string> | undefined;
    return {
      debugName: name,
      name: (id: string, context: Context) => {
        reached ??= reachedFrom(
          modules.map((module) => join(root, module)),
          context,
        );
        return reached.has(id) && !isEntry(id, context) ? name : null;
      },
      priority: MOMENTS.length - index,
    };
  });
  return [...moments, { name: 'shared', entriesAware: true, entriesAwareMergeThreshold: SMALL, minShareCount: 2 }];
}

/** Returns the modules and everything that they import statically. */
function reachedFrom(modules: readonly string[], context: Context): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...modules];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    pending.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/** Entries stay files of their own, with names that the manifest has. */
function isEntry(id: string, context: Context): boolean {
  const info = context.getModuleInfo(id);
  return info === null || info.isEntry || info.dynamicImporters.length > 0 || id.endsWith('/src/main.tsx');
}
