import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SafelistItem } from '../../documents/kinds/analysis/safelist.ts';
import type { SystemValues } from '../system/system-values.ts';
import { DEFAULT_TAG_SAFELIST } from './default-tag-safelist.ts';
import { readTagSafelist, type TagSafelist, type TagSafelistRules } from './tag-safelist.ts';

export interface SafelistLookupDependencies {
  readonly safelist: Collection<SafelistItem>;
  readonly values: Pick<SystemValues, 'reader'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The enabled entries of the safelist, by what they are for. */
interface Entries {
  /** Values by type of tag. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  readonly signatures: ReadonlySet<string>;
}

interface Loaded {
  readonly entries: Entries;
  readonly at: number;
}

/** Answers for a state of the safelist that is at most 5 seconds old. */
export interface SafeValuesView {
  isSafeTag(type: string, value: string): boolean;
  isSafeSignature(name: string): boolean;
}

/** Milliseconds after which entries are read again. */
const LIFETIME = 4000;
const ACCESS = unrestricted('what is safe is safe for results of every classification');
const ENABLED: QueryNode = { kind: 'term', field: 'enabled', value: true };

/** Looks up safe tags and signatures: the tag safelist, and enabled entries of the safelist. */
export class SafelistLookup {
  readonly #dependencies: SafelistLookupDependencies;
  readonly #rules: () => Promise<TagSafelist>;
  readonly #now: () => number;
  #loaded: Loaded | undefined;
  #loading: Promise<Entries> | undefined;

  constructor(dependencies: SafelistLookupDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    this.#rules = dependencies.values.reader('tag_safelist', (yaml) =>
      readTagSafelist(typeof yaml === 'string' ? yaml : DEFAULT_TAG_SAFELIST),
    );
  }

  /** Returns the present state, so that many values are judged without waiting for each. */
  async view(): Promise<SafeValuesView> {
    const [rules, { tags, signatures }] = [await this.#rules(), await this.#entries()];
    return {
      isSafeTag: (type, value) => tags.get(type)?.has(value) === true || rules.isSafe(type, value),
      isSafeSignature: (name) => signatures.has(name),
    };
  }

  async isSafeTag(type: string, value: string): Promise<boolean> {
    return (await this.view()).isSafeTag(type, value);
  }

  /** Returns the names of enabled signatures of the safelist. */
  async safeSignatures(): Promise<ReadonlySet<string>> {
    return (await this.#entries()).signatures;
  }

  /** Returns values and patterns by type of tag, entries of the safelist included. Default: all types. */
  async tagSafelist(types?: readonly string[]): Promise<TagSafelistRules> {
    const { rules } = await this.#rules();
    const { tags } = await this.#entries();
    const isWanted = (type: string) => types === undefined || types.includes(type);
    const match = new Map(Object.entries(rules.match).filter(([type]) => isWanted(type)));
    for (const [type, values] of tags) {
      if (isWanted(type)) match.set(type, [...(match.get(type) ?? []), ...values]);
    }
    return {
      match: Object.fromEntries(match),
      regex: Object.fromEntries(Object.entries(rules.regex).filter(([type]) => isWanted(type))),
    };
  }

  async #entries(): Promise<Entries> {
    if (this.#loaded !== undefined && this.#now() - this.#loaded.at < LIFETIME) return this.#loaded.entries;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<Entries> {
    const at = this.#now();
    const tags = new Map<string, Set<string>>();
    const signatures = new Set<string>();
    const query = allOf(ENABLED, { kind: 'terms', field: 'type', values: ['tag', 'signature'] });
    const fields = ['tag', 'signature', 'type'];
    for await (const { document } of this.#dependencies.safelist.stream({ query, fields }, ACCESS)) {
      const { tag, signature } = document;
      if (tag) tags.set(tag.type, (tags.get(tag.type) ?? new Set()).add(tag.value));
      if (signature) signatures.add(signature.name);
    }
    const entries = { tags, signatures };
    this.#loaded = { entries, at };
    return entries;
  }
}
