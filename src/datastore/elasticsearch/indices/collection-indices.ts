import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../../errors/errors.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { indicesBehind } from './index-list.ts';

/** Milliseconds that the answer of the server is used: another process may have rolled over meanwhile. */
const REMEMBERED = 5000;
const GENERATION = /-(\d+)$/;

/** The indices behind the alias of one collection. */
export class CollectionIndices {
  readonly #engine: SearchEngine;
  readonly #admin: Pick<IndexAdmin, 'create' | 'exists' | 'switchAliases'>;
  readonly #definition: CollectionDefinition<unknown>;
  readonly #alias: string;
  #ready: Promise<void> | undefined;
  #remembered: { readonly names: Promise<readonly string[]>; readonly until: number } | undefined;

  constructor(
    engine: SearchEngine,
    admin: Pick<IndexAdmin, 'create' | 'exists' | 'switchAliases'>,
    definition: CollectionDefinition<unknown>,
    alias: string,
  ) {
    this.#engine = engine;
    this.#admin = admin;
    this.#definition = definition;
    this.#alias = alias;
  }

  /** Resolves once there is an index. Asked once for all callers; a failure is forgotten. */
  ready(): Promise<void> {
    this.#ready ??= this.#ensure().catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Returns the indices as `CollectionContext.indices` describes. */
  async indices({ fresh = false }: { readonly fresh?: boolean } = {}): Promise<readonly string[]> {
    if (fresh || this.#remembered === undefined || this.#remembered.until < performance.now()) {
      const names = this.#ask();
      this.#remembered = { names, until: performance.now() + REMEMBERED };
      names.catch(() => this.forget());
    }
    return this.#remembered.names;
  }

  /** The next question goes to the server. */
  forget(): void {
    this.#remembered = undefined;
  }

  async #ask(): Promise<readonly string[]> {
    const behind = await indicesBehind(this.#engine, this.#alias);
    if (behind.length === 0) {
      // An index itself bears that name in older installations.
      if (await this.#admin.exists(this.#alias)) return [this.#alias];
      // Somebody took the alias away: whoever asks next makes it again.
      this.#ready = undefined;
      return [];
    }
    return behind
      .toSorted((a, b) => Number(b.writeIndex) - Number(a.writeIndex) || generationOf(b.name) - generationOf(a.name))
      .map(({ name }) => name);
  }

  /** Creates the indices. Safe for several processes at once: later ones find what the first created. */
  async #ensure(): Promise<void> {
    if (await this.#isThere()) return;
    const index = `${this.#alias}_hot`;
    try {
      await this.#admin.create(index, this.#definition, { aliases: [{ name: this.#alias, writeIndex: true }] });
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'index_exists') throw error;
      if (await this.#isThere()) return;
      await this.#admin.switchAliases([{ kind: 'add', index, alias: this.#alias, writeIndex: true }]);
    }
    this.forget();
  }

  async #isThere(): Promise<boolean> {
    const behind = await indicesBehind(this.#engine, this.#alias);
    return behind.length > 0 || (await this.#admin.exists(this.#alias));
  }
}

/** Returns 12 for `<alias>-000012`, and 0 for indices before the first generation. */
function generationOf(index: string): number {
  return Number(GENERATION.exec(index)?.[1] ?? 0);
}
