import type { Collection } from '../../datastore/port/collection.ts';
import { anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import { BADLIST_TYPES, type BadlistItem, badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ListKind } from '../lists/list-kind.ts';
import type { ListService } from '../lists/list-service.ts';
import { digestOf } from '../lists/listed-values.ts';

const ATTRIBUTIONS = ['actor', 'campaign', 'category', 'exploit', 'implant', 'family', 'network'] as const;
type AttributionType = (typeof ATTRIBUTIONS)[number];
type Attribution = NonNullable<BadlistItem['attribution']>;

/** Entries that a fuzzy look-up returns. */
const MAX_SIMILAR = 25;
/** Values that one look-up of tags takes. */
const MAX_TAGS = 10_000;
const SSDEEP = /^\d+:(?<middle>[^:]+):[^:]+$/;

/** Returns the list of malicious files and tags. */
export function badlistKind(daysToLive: number): ListKind<BadlistItem> {
  return {
    name: 'badlist',
    word: 'Bad',
    definition: badlistDocument,
    types: BADLIST_TYPES,
    hashes: ['sha256', 'sha1', 'md5', 'tlsh', 'ssdeep'],
    daysToLive,
    merge: ({ attribution: stored }, { attribution: added }) => ({ attribution: mergeAttributions(stored, added) }),
  };
}

export interface BadlistServiceDependencies {
  readonly entries: Collection<BadlistItem>;
  readonly list: ListService<BadlistItem>;
}

type BadlistActor = Pick<Actor, 'username' | 'roles' | 'classification' | 'searchAccess'>;

/** Serves what the badlist alone offers: attributions, and look-ups of similar files and of tags. */
export class BadlistService {
  readonly #entries: Collection<BadlistItem>;
  readonly #list: ListService<BadlistItem>;

  constructor({ entries, list }: BadlistServiceDependencies) {
    this.#entries = entries;
    this.#list = list;
  }

  /** @throws InvalidInput `invalid_attribution_type`; NotFound `list_entry_missing` */
  async attribute(actor: BadlistActor, id: string, type: string, value: string): Promise<void> {
    const kind = readType(type);
    await this.#list.change(actor, id, ({ attribution }) => ({
      attribution: mergeAttributions(attribution, { [kind]: [value.toUpperCase()] }),
    }));
  }

  /** Removes an attribution, if it is there. @throws as `attribute` */
  async removeAttribution(actor: BadlistActor, id: string, type: string, value: string): Promise<void> {
    const kind = readType(type);
    await this.#list.change(actor, id, ({ attribution }) => {
      const values = attribution?.[kind];
      if (values === undefined) return {};
      return { attribution: { ...attribution, [kind]: values.filter((one) => one !== value.toUpperCase()) } };
    });
  }

  /** Returns entries whose ssdeep has a similar middle part. @throws InvalidInput `invalid_ssdeep` */
  similarSsdeep(ssdeep: string, access: ReadAccess): Promise<readonly BadlistItem[]> {
    const middle = SSDEEP.exec(ssdeep)?.groups?.middle;
    if (middle === undefined) {
      throw new InvalidInput('invalid_ssdeep', `Invalid SSDEEP hash provided: ${ssdeep}`, { response: null });
    }
    return this.#find({ kind: 'fuzzy', field: 'hashes.ssdeep', value: middle, maxEdits: 2 }, access);
  }

  /** Returns entries whose TLSH differs in two characters at most, with or without the version `T1`. */
  similarTlsh(tlsh: string, access: ReadAccess): Promise<readonly BadlistItem[]> {
    const digest = tlsh.replace(/^T1/i, '');
    const forms = [digest.toLowerCase(), digest.toUpperCase()].flatMap((form) => [form, `T1${form}`]);
    const nodes = forms.map((value): QueryNode => ({ kind: 'fuzzy', field: 'hashes.tlsh', value, maxEdits: 2 }));
    return this.#find(anyOf(...nodes), access);
  }

  /** Returns the entries of tags, by type. @throws InvalidInput `too_many_entries` */
  tags(values: Readonly<Record<string, readonly string[]>>, access: ReadAccess): Promise<readonly BadlistItem[]> {
    const ids = Object.entries(values).flatMap(([type, each]) => each.map((value) => digestOf(type, value)));
    if (ids.length > MAX_TAGS) {
      const message = `There are ${ids.length} tags, and at most ${MAX_TAGS} are allowed. Send them in parts.`;
      throw new InvalidInput('too_many_entries', message, { response: null });
    }
    return this.#list.getMany(ids, access);
  }

  async #find(query: QueryNode, access: ReadAccess): Promise<readonly BadlistItem[]> {
    const { items } = await this.#entries.search({ query, rows: MAX_SIMILAR }, access);
    return items.map(({ document }) => document);
  }
}

function readType(type: string): AttributionType {
  const known = ATTRIBUTIONS.find((one) => one === type);
  if (known !== undefined) return known;
  const allowed = ATTRIBUTIONS.map((one) => `'${one}'`).join(', ');
  const message = `Invalid attribution type, must in : [${allowed}]`;
  throw new InvalidInput('invalid_attribution_type', message, { response: null });
}

function mergeAttributions(stored: Attribution | undefined, added: Attribution | undefined): Attribution | undefined {
  if (stored === undefined || added === undefined) return stored ?? added;
  const merged = ATTRIBUTIONS.map((type) => {
    const values = [...new Set([...(stored[type] ?? []), ...(added[type] ?? [])])];
    return [type, values.length > 0 ? values : stored[type]];
  });
  return Object.fromEntries(merged.filter(([, values]) => values !== undefined)) as Attribution;
}
