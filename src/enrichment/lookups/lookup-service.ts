import type { QueryResult } from '../models/query-result.ts';
import type { Selector } from '../models/selector.ts';
import type { CallContext } from '../sources/call-context.ts';
import type { Source } from '../sources/source.ts';
import type { LookupFlags } from '../sources/source-client.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';

/** Results by type, value and source. The objects inherit nothing: a value may be `constructor`. */
export type MergedResults = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, QueryResult>>>>>>;

/** A question to several sources. */
export interface Lookup<Selectors extends readonly Selector[] = readonly Selector[]> {
  readonly selectors: Selectors;
  /** Names of the only sources to ask, of which a selector may name fewer; null: the default ones. */
  readonly sources: readonly string[] | null;
  readonly flags: LookupFlags;
}

/** The results of one source, or errors in place of them. */
export interface SourceAnswer {
  readonly source: string;
  readonly results: ReadonlyMap<Selector, QueryResult>;
}

export interface LookupServiceDependencies {
  readonly directory: Pick<SourceDirectory, 'visibleTo'>;
}

/** Asks every source that a caller may use, all at once, about values. */
export class LookupService {
  readonly #directory: LookupServiceDependencies['directory'];

  constructor({ directory }: LookupServiceDependencies) {
    this.#directory = directory;
  }

  /** Returns the results of all sources. Every pair of type and value is there, also without a result. */
  async lookup(question: Lookup, context: CallContext): Promise<MergedResults> {
    const { selectors } = question;
    const answers = await Promise.all(this.ask(question, context));
    const merged: Members<Members<Members<QueryResult>>> = Object.create(null);
    const places = new Map<Selector, Members<QueryResult>>();
    for (const selector of selectors) {
      places.set(selector, memberOf(memberOf(merged, selector.type), selector.value));
    }
    for (const { source, results } of answers) {
      for (const [selector, result] of results) {
        const place = places.get(selector);
        if (place !== undefined) place[source] = result;
      }
    }
    return merged;
  }

  /** Asks the sources that the selectors want. Each promise is the answer of one; none rejects. */
  ask({ selectors, sources, flags }: Lookup, context: CallContext): readonly Promise<SourceAnswer>[] {
    const questions = this.#wanted(sources, context)
      .map((source) => ({ source, ...wantedOf(source, selectors) }))
      .filter(({ asked, refused }) => asked.length + refused.length > 0);
    return questions.map(async ({ source, asked, refused }) => {
      const results = new Map<Selector, QueryResult>();
      for (const selector of refused) results.set(selector, refusedResult(source, selector, bulkRefusal));
      const offered = asked.length === 0 ? [] : await offeredOf(source, asked, context);
      const found = offered.length === 0 ? [] : await source.lookup(offered, flags, context);
      for (const [selector, result] of found) results.set(selector, result);
      return { source: source.settings.name, results };
    });
  }

  /** Returns the visible sources of a query: those that it names, else those that are asked by default. */
  #wanted(names: Lookup['sources'], { actor }: CallContext): readonly Source[] {
    const visible = this.#directory.visibleTo(actor);
    return visible.filter(({ settings }) => (names === null ? settings.includeDefault : names.includes(settings.name)));
  }

  /** Returns the result of each source for one value. Sources that do not offer its type are left out. */
  async lookupOne(
    { selectors: [selector], sources, flags }: Lookup<readonly [Selector]>,
    context: CallContext,
  ): Promise<Readonly<Record<string, QueryResult>>> {
    const asked = this.#wanted(sources, context);
    const results: Record<string, QueryResult> = {};
    await Promise.all(
      asked.map(async (source) => {
        const [offered] = await offeredOf(source, [selector], context);
        if (offered === undefined) return;
        results[source.settings.name] = source.accepts(selector.classification)
          ? await source.lookupOne(selector, flags, context)
          : refusedResult(source, selector, singleRefusal);
      }),
    );
    return results;
  }
}

type Members<T> = Record<string, T>;

/** Returns the object under a name, which is created empty if it is absent. */
function memberOf<T>(members: Members<Members<T>>, name: string): Members<T> {
  members[name] ??= Object.create(null) as Members<T>;
  return members[name];
}

/** Splits selectors into those that a source is asked about and those that it must not learn. */
function wantedOf(source: Source, selectors: readonly Selector[]) {
  const asked: Selector[] = [];
  const refused: Selector[] = [];
  const accepted = new Map<string, boolean>();
  for (const selector of selectors) {
    const { classification, sources } = selector;
    if (sources?.includes(source.settings.name) === false) continue;
    const accepts = accepted.get(classification) ?? source.accepts(classification);
    accepted.set(classification, accepts);
    if (accepts) asked.push(selector);
    else if (sources !== null) refused.push(selector);
  }
  return { asked, refused };
}

/**
 * Returns the selectors whose type the source offers; none when it does not answer by the deadline.
 * The caller need not be cleared to know of a type: what the source finds is filtered.
 */
async function offeredOf(
  source: Source,
  selectors: readonly Selector[],
  { deadline, signal }: CallContext,
): Promise<readonly Selector[]> {
  const types = await beforeDeadline(source.offers(), deadline, signal);
  return types === undefined ? [] : selectors.filter(({ type }) => types.has(type));
}

/** Returns undefined at the deadline, and when the caller is gone. */
function beforeDeadline<T>(promise: Promise<T>, deadline: number, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, Math.max(deadline - Date.now(), 0));
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
}

type RefusalText = (source: Source, classification: string) => string;

const bulkRefusal: RefusalText = ({ settings: { name, declaredMaxClassification } }, classification) =>
  `Selector classification (${classification}) exceeds max classification of source: ${name} (${declaredMaxClassification ?? 'None'}).`;

const singleRefusal: RefusalText = ({ settings: { name } }) =>
  `Type classification exceeds max classification of source: ${name}.`;

function refusedResult(source: Source, selector: Selector, text: RefusalText): QueryResult {
  return source.errorResult(selector, text(source, selector.classification));
}
