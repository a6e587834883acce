import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type BadlistItem, badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { type SafelistItem, safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { NotFound } from '../../errors/errors.ts';
import type { BadlistService } from '../badlist/badlist-service.ts';
import type { SafelistLookup } from '../safelist/safelist-lookup.ts';

export interface ListLookupsDependencies {
  readonly safelist: Pick<Collection<SafelistItem>, 'get'>;
  readonly badlist: Pick<Collection<BadlistItem>, 'get'>;
  readonly lookup: Pick<SafelistLookup, 'safeSignatures' | 'tagSafelist'>;
  readonly similar: Pick<BadlistService, 'similarSsdeep' | 'similarTlsh' | 'tags'>;
}

const ACCESS = unrestricted('workers compare files of all users with both lists');

/** Looks up entries of both lists for workers, as clients of the public system expect them. */
export class ListLookups {
  readonly #dependencies: ListLookupsDependencies;

  constructor(dependencies: ListLookupsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns values and patterns of safe tags by type. Default: all types. */
  safeTags(types: readonly string[] | undefined): ReturnType<SafelistLookup['tagSafelist']> {
    return this.#dependencies.lookup.tagSafelist(types);
  }

  async safeSignatures(): Promise<readonly string[]> {
    return [...(await this.#dependencies.lookup.safeSignatures())];
  }

  /** @throws NotFound `not_listed` */
  async safelisted(id: string): Promise<SafelistItem> {
    const entry = await this.#dependencies.safelist.get(id, ACCESS);
    if (entry === undefined) throw notListed('safelist', null);
    return wholeOutput(safelistDocument, entry);
  }

  /** @throws NotFound `not_listed` */
  async badlisted(id: string): Promise<BadlistItem> {
    const entry = await this.#dependencies.badlist.get(id, ACCESS);
    if (entry === undefined) throw notListed('badlist', null);
    return wholeOutput(badlistDocument, entry);
  }

  /** @throws InvalidInput `invalid_ssdeep`; NotFound `not_listed` */
  async similarSsdeep(ssdeep: string): Promise<readonly BadlistItem[]> {
    return someEntries(await this.#dependencies.similar.similarSsdeep(ssdeep, ACCESS));
  }

  /** @throws NotFound `not_listed` */
  async similarTlsh(tlsh: string): Promise<readonly BadlistItem[]> {
    return someEntries(await this.#dependencies.similar.similarTlsh(tlsh, ACCESS));
  }

  /** Returns the entries of tags, by type; none is no error. */
  async badTags(values: Readonly<Record<string, readonly string[]>>): Promise<readonly BadlistItem[]> {
    return (await this.#dependencies.similar.tags(values, ACCESS)).map((entry) => wholeOutput(badlistDocument, entry));
  }
}

function someEntries(entries: readonly BadlistItem[]): readonly BadlistItem[] {
  if (entries.length === 0) throw notListed('badlist', []);
  return entries.map((entry) => wholeOutput(badlistDocument, entry));
}

function notListed(list: 'safelist' | 'badlist', response: unknown): NotFound {
  return new NotFound('not_listed', `The hash was not found in the ${list}.`, { response });
}
