import type { Datastore } from '../../datastore/port/datastore.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import type { FacetRequest, FacetResult, StatsResult } from '../../datastore/port/search.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { FIELD_TYPES, type FlatField } from '../../documents/schema/field-types.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { namesSecret, withoutSecretFields } from '../../search/field-selection.ts';
import { indexedNumber, readHistogramRange } from '../../search/histogram-range.ts';
import type { SearchDeadline } from '../../search/search-shares.ts';
import { compileSelection } from '../../search/selection.ts';
import type { FacetInput, FacetsInput, HistogramInput, SelectionInput } from './search-schemas.ts';

type Definition = DocumentDefinition<unknown>;

/** Searches that the engine works on at a time. */
const MAX_CONCURRENT_FACETS = 2;

/** Numbers of documents by value or step. */
export type Counts = Record<string, number>;

/** Counts and figures over documents that `actor` may see. All throw InvalidInput `invalid_query`. */
export class AggregationService {
  readonly #datastore: Datastore;

  constructor(datastore: Datastore) {
    this.#datastore = datastore;
  }

  /** Counts values of a field. @throws InvalidInput `unknown_field`; Forbidden `secret_field` */
  async facet(actor: Actor, definition: Definition, field: string, input: FacetInput): Promise<Counts> {
    rejectSecretFields([definition], [field], 'Invalid field to facet on.');
    knownField(definition, field);
    return (await this.facetsAcross(actor, [definition], { ...input, fields: [field] }))[field] ?? {};
  }

  /** Counts values of several fields; unknown fields are left out. @throws Forbidden `secret_field` */
  async facets(actor: Actor, definition: Definition, input: FacetsInput): Promise<Record<string, Counts>> {
    const counts = await this.facetsAcross(actor, [definition], input);
    return Object.fromEntries(Object.entries(counts).filter(([field]) => findField(definition, field)));
  }

  /** Counts over several kinds at once; unknown fields are empty. @throws Forbidden `secret_field` */
  async facetsAcross(
    actor: Actor,
    definitions: readonly Definition[],
    input: FacetsInput,
  ): Promise<Record<string, Counts>> {
    rejectSecretFields(definitions, input.fields, 'Invalid fields to facet on.');
    const now = new Date();
    const searches = definitions.map((definition) => {
      const collection = this.#datastore.collection(definition);
      return { definition, collection, selection: compileSelection(definition, input, now) };
    });
    return eachField([...new Set(input.fields)], input.deadline, (field, signal) => {
      const sources = searches
        .filter(({ definition }) => findField(definition, field))
        .map(({ collection, selection }): FacetSource => {
          return (request) => collection.facet({ ...selection, signal, field, ...request }, actor.searchAccess);
        });
      return mergedFacet(sources, { rows: input.rows, minCount: input.mincount });
    });
  }

  /** Counts by steps; throws `unknown_field`, `histogram_field_unsupported`, as `readHistogramRange`. */
  async histogram(actor: Actor, definition: Definition, field: string, input: HistogramInput): Promise<Counts> {
    const { searchKind, type } = knownField(definition, field);
    if (searchKind !== 'integer' && searchKind !== 'long' && searchKind !== 'date') {
      const { catalogueType } = FIELD_TYPES[type];
      const message = `Field '${field}' is of type '${catalogueType}'. Only 'integer' or 'date' are acceptable.`;
      throw new InvalidInput('histogram_field_unsupported', message, { at: 'field' });
    }
    const now = new Date();
    const range = readHistogramRange(searchKind === 'date' ? 'date' : 'number', input, now);
    const selection = compileSelection(definition, input, now);
    const inRange: QueryNode = {
      kind: 'range',
      field,
      lower: { value: indexedNumber(searchKind, range.start), inclusive: true },
      upper: { value: indexedNumber(searchKind, range.endRoundedUp), inclusive: true },
    };
    const buckets = await this.#datastore.collection(definition).histogram(
      {
        ...selection,
        filters: [...selection.filters, inRange],
        field,
        interval: range.interval,
        minCount: input.mincount,
        extendedBounds: { min: range.start, max: range.end },
      },
      actor.searchAccess,
    );
    const isDate = searchKind === 'date';
    return Object.fromEntries(buckets.map(({ label, key, count }) => [isDate ? label : String(key), count]));
  }

  /** Returns figures of a numeric field. @throws InvalidInput `unknown_field`, `field_not_numeric` */
  async stats(actor: Actor, definition: Definition, field: string, input: SelectionInput): Promise<StatsResult> {
    const { searchKind } = knownField(definition, field);
    if (searchKind !== 'integer' && searchKind !== 'long' && searchKind !== 'float') {
      throw new InvalidInput('field_not_numeric', `Field '${field}' is not a numeric field.`, { at: 'field' });
    }
    const request = { ...compileSelection(definition, input), field };
    return this.#datastore.collection(definition).stats(request, actor.searchAccess);
  }
}

function knownField(definition: Definition, field: string): FlatField {
  const known = findField(definition, field);
  if (known) return known;
  const message = `Field '${field}' is not a valid field in index: ${definition.name}`;
  throw new InvalidInput('unknown_field', message, { at: 'field' });
}

/** Finds a field; hidden fields and secrets do not exist. */
function findField(definition: Definition, field: string): FlatField | undefined {
  return field.startsWith('__') ? undefined : withoutSecretFields(definition).fieldByPath.get(field);
}

function rejectSecretFields(definitions: readonly Definition[], fields: readonly string[], message: string): void {
  const isSecret = (field: string) => definitions.some((definition) => namesSecret(definition, field));
  if (fields.some(isSecret)) throw new Forbidden('secret_field', message);
}

/** Counts field by field, a few at the same time. When one fails, the others are cancelled. */
async function eachField(
  fields: readonly string[],
  deadline: SearchDeadline,
  count: (field: string, signal: AbortSignal) => Promise<Counts>,
): Promise<Record<string, Counts>> {
  const failure = new AbortController();
  const signal = AbortSignal.any([deadline.signal, failure.signal]);
  const counted = new Map<string, Counts>();
  const waiting = fields.values();
  const work = async () => {
    for (const field of waiting) counted.set(field, await count(field, signal));
  };
  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT_FACETS }, work));
  } catch (error) {
    failure.abort();
    throw error;
  }
  return Object.fromEntries(fields.map((field) => [field, counted.get(field) ?? {}]));
}

/** Lists the most frequent values of a field in one collection. */
export type FacetSource = (request: Pick<FacetRequest, 'rows' | 'minCount' | 'include'>) => Promise<FacetResult>;

/**
 * Counts the most frequent values over several collections together, exactly.
 * Each lists its most frequent values, is asked for the counts of those that only others listed, and lists more until no
 * unlisted value can be frequent enough.
 */
export async function mergedFacet(
  sources: readonly FacetSource[],
  { rows, minCount }: { readonly rows: number; readonly minCount: number },
): Promise<Record<string, number>> {
  const [only, ...others] = sources;
  if (only && others.length === 0) {
    const { buckets } = await only({ rows, minCount });
    return Object.fromEntries(buckets.map(({ label, count }) => [label, count]));
  }
  for (let listed = Math.max(100, rows); ; listed *= 4) {
    const results = await Promise.all(sources.map((source) => source({ rows: listed, minCount: 1 })));
    const all = results.flatMap(({ buckets }) => buckets);
    const keys = new Map(all.map(({ label, key }) => [label, key]));
    const counts = new Map<string, number>();
    let unseen = 0;
    for (const [index, { buckets, other }] of results.entries()) {
      for (const { label, count } of buckets) counts.set(label, (counts.get(label) ?? 0) + count);
      if (other === 0 || buckets.length < listed) continue;
      unseen += buckets.at(-1)?.count ?? 0;
      const own = new Set(buckets.map((bucket) => bucket.label));
      const missing = [...keys].filter(([label]) => !own.has(label)).map(([, key]) => String(key));
      if (missing.length === 0) continue;
      const rest = await sources[index]?.({ rows: missing.length, minCount: 1, include: missing });
      for (const { label, count } of rest?.buckets ?? []) counts.set(label, (counts.get(label) ?? 0) + count);
    }
    const best = [...counts]
      .filter(([, count]) => count >= minCount)
      .sort(([leftKey, left], [rightKey, right]) => right - left || (leftKey < rightKey ? -1 : 1))
      .slice(0, rows);
    const worst = best.length < rows ? minCount : (best.at(-1)?.[1] ?? 0);
    if (unseen === 0 || (best.length === rows && unseen <= worst)) return Object.fromEntries(best);
  }
}
