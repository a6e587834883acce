import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../../errors/errors.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { indicesBehind } from './index-list.ts';

/** Milliseconds that the answer of the server is used: another process may have rolled over meanwhile. */
const REMEMBERED = 5000;
const GENERATION = /-(\d+)$/;

export interface CollectionIndices extends Pick<CollectionContext<unknown>, 'ready' | 'indices'> {
  /** The next question goes to the server. */
  forget(): void;
}

export function collectionIndices(
  engine: SearchEngine,
  admin: Pick<IndexAdmin, 'create' | 'exists' | 'switchAliases'>,
  definition: CollectionDefinition<unknown>,
  alias: string,
): CollectionIndices {
  let existing: Promise<void> | undefined;
  let remembered: { readonly names: Promise<readonly string[]>; readonly until: number } | undefined;

  const isThere = async (): Promise<boolean> =>
    (await indicesBehind(engine, alias)).length > 0 || (await admin.exists(alias));

  /** Creates the indices. Safe for several processes at once: later ones find what the first created. */
  const ensure = async (): Promise<void> => {
    if (await isThere()) return;
    const index = `${alias}_hot`;
    try {
      await admin.create(index, definition, { aliases: [{ name: alias, writeIndex: true }] });
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'index_exists') throw error;
      if (await isThere()) return;
      await admin.switchAliases([{ kind: 'add', index, alias, writeIndex: true }]);
    }
    remembered = undefined;
  };

  const ask = async (): Promise<readonly string[]> => {
    const behind = await indicesBehind(engine, alias);
    if (behind.length === 0) {
      // An index itself bears that name in older installations.
      if (await admin.exists(alias)) return [alias];
      // The alias was taken away: the next caller makes it again.
      existing = undefined;
      return [];
    }
    return behind
      .toSorted((a, b) => Number(b.writeIndex) - Number(a.writeIndex) || generationOf(b.name) - generationOf(a.name))
      .map(({ name }) => name);
  };

  return {
    /** Asks once for all callers; a failure is forgotten. */
    ready() {
      existing ??= ensure().catch((error) => {
        existing = undefined;
        throw error;
      });
      return existing;
    },
    async indices({ fresh = false } = {}) {
      if (fresh || remembered === undefined || remembered.until < performance.now()) {
        const names = ask();
        remembered = { names, until: performance.now() + REMEMBERED };
        names.catch(() => {
          remembered = undefined;
        });
      }
      return remembered.names;
    },
    forget() {
      remembered = undefined;
    },
  };
}

/** Returns 12 for `<alias>-000012`, and 0 for indices before the first generation. */
function generationOf(index: string): number {
  return Number(GENERATION.exec(index)?.[1] ?? 0);
}
