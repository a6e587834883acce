import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { MATCH_ALL, type QueryNode } from '../datastore/port/query-tree.ts';
import { compileQuery } from '../datastore/query-language/compile-query.ts';
import { type IndexedDocument, indexedValues } from '../datastore/query-language/indexed-values.ts';
import { matchesIndexed } from '../datastore/query-language/matches.ts';
import { MAX_QUERY_LENGTH } from '../datastore/query-language/query-parser.ts';
import { patternBudget, queryTooComplex, StepBudget } from '../datastore/regular-language/query-limits.ts';
import { type Hit, hitDocument } from '../documents/kinds/hit.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import { InvalidInput, isTriadError, type TriadError } from '../errors/errors.ts';

/**
 * Rejects the query of a view, dossier or action that would not run; ignores what is not a string.
 * @throws InvalidInput `invalid_query` with `message` and the position; `query_too_complex`, which names the limit
 */
export function rejectBrokenQuery(query: unknown, message: string): void {
  if (typeof query !== 'string') return;
  try {
    compileQuery(query, hitDocument);
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input' || error.code === 'query_too_complex') throw error;
    throw new InvalidInput('invalid_query', message, { cause: error, at: error.at });
  }
}

/** Rejects queries, readable or not, that together exceed the limits of one: `query_too_complex`. */
export function rejectCostlyQueries(
  queries: readonly { readonly text: string; readonly definitions: readonly DocumentDefinition<unknown>[] }[],
): void {
  const length = queries.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MAX_QUERY_LENGTH) {
    const problem = `the queries of the request have ${length} characters together, and at most ${MAX_QUERY_LENGTH} are allowed`;
    throw queryTooComplex(problem, undefined);
  }
  const budget = patternBudget();
  for (const { text, definitions } of queries) {
    for (const definition of definitions) {
      try {
        compileQuery(text, definition, { budget });
      } catch (error) {
        if (!isTriadError(error) || error.code === 'query_too_complex') throw error;
      }
    }
  }
}

/** A query that is stored in a record and evaluated for alerts that others open. */
export interface SavedQuery {
  /** Identifier of the record. */
  readonly id: string;
  readonly owner: string;
  /** Absent: every alert. */
  readonly text: string | undefined;
}

interface SavedQueryEvaluatorDependencies {
  /** Counts queries that were skipped, by the reason. */
  counter: { inc(labels: { readonly reason: SkipReason }): void };
  log: { warn(entry: object, message: string): void };
}

/** The reason for which a query matched nothing: it cannot be read, or exceeds a limit. */
export type SkipReason = 'invalid_query' | 'query_too_complex' | 'over_budget';

type HitLike = Readonly<Record<string, unknown>>;

type CompiledQuery = { readonly node: QueryNode } | { readonly error: TriadError };

/** Steps of one owner's queries per request; a step is a condition or character: at most 150 ns. */
export const MAX_OWNER_STEPS = 1_000_000;
/** Steps that all saved queries may take for one request. */
export const MAX_REQUEST_STEPS = 5_000_000;
/** Steps after which other requests get their turn: a few milliseconds. */
const SLICE_STEPS = 50_000;
/** Steps that taking a document apart and reading a character of a query count. */
const DOCUMENT_STEPS = 500;
const CHARACTER_STEPS = 2;
/** Bytes of compiled queries, about, and those of one step of compiling and of one query. */
const MAX_CACHE_BYTES = 32_000_000;
const STEP_BYTES = 16;
const QUERY_BYTES = 1000;
const MAX_PROBLEMS = 1000;

/**
 * Evaluates saved queries against alerts in memory. Compiled queries stay in a bounded LRU cache.
 * A query that cannot be read, or exceeds the limits of a query or the budget of its owner, matches nothing: it is
 * skipped, logged once, counted, and reported on its record.
 */
export class SavedQueryEvaluator {
  readonly #dependencies: SavedQueryEvaluatorDependencies;
  readonly #compiled = new LRUCache<string, CompiledQuery>({ maxSize: MAX_CACHE_BYTES });
  /** By the identifier of the record. */
  readonly #problems = new LRUCache<string, { readonly text: string | undefined; readonly message: string }>({
    max: MAX_PROBLEMS,
  });

  constructor(dependencies: SavedQueryEvaluatorDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Finds the alerts that each query matches.
   * @param first owner whose queries are evaluated before those of others, which may use up the budget of the request
   * @returns for each query, whether it matches each of the alerts, in their order
   */
  async evaluate(
    queries: readonly SavedQuery[],
    hits: readonly HitLike[],
    first: string,
  ): Promise<readonly (readonly boolean[])[]> {
    const none = hits.map(() => false);
    return (await this.evaluateOrSkip(queries, hits, first)).map((found) => (typeof found === 'string' ? none : found));
  }

  /** Evaluates as `evaluate`, and returns the reason for each query that was skipped. */
  async evaluateOrSkip(
    queries: readonly SavedQuery[],
    hits: readonly HitLike[],
    first: string,
  ): Promise<readonly (readonly boolean[] | SkipReason)[]> {
    const run = new Evaluation(hits);
    const found = new Map<SavedQuery, readonly boolean[] | SkipReason>();
    for (const query of queries.toSorted((a, b) => Number(b.owner === first) - Number(a.owner === first))) {
      try {
        found.set(query, await run.matches(query.owner, (budget) => this.#compile(query.text, budget)));
        this.#problems.delete(query.id);
      } catch (error) {
        if (!(error instanceof OverBudget || isTriadError(error))) throw error;
        const reason = reasonOf(error);
        this.#skip(query, reason, error.message);
        found.set(query, reason);
      }
    }
    return queries.map((query) => found.get(query) ?? 'over_budget');
  }

  /** Returns why the query of a record was skipped when it was last evaluated here, if it was. */
  problemOf({ id, text }: Omit<SavedQuery, 'owner'>): string | undefined {
    const problem = this.#problems.get(id);
    return problem?.text === text ? problem?.message : undefined;
  }

  /** @throws OverBudget; InvalidInput `invalid_query`, `query_too_complex` */
  #compile(text: string | undefined, budget: StepBudget): QueryNode {
    if (!text) return MATCH_ALL;
    const known = this.#compiled.get(text);
    if (known) return nodeOf(known);
    budget.spend(text.length * CHARACTER_STEPS);
    const patterns = patternBudget();
    const before = patterns.left;
    const compiled = compile(text, patterns);
    const steps = before - patterns.left;
    // Dates that are relative to the present are read again for each request.
    if ('error' in compiled || !/\bnow\b/i.test(text)) {
      this.#compiled.set(text, compiled, { size: QUERY_BYTES + text.length * 2 + steps * STEP_BYTES });
    }
    // The first match compiles the patterns once more.
    budget.spend(steps * 2);
    return nodeOf(compiled);
  }

  #skip({ id, owner, text }: SavedQuery, reason: SkipReason, message: string): void {
    this.#dependencies.counter.inc({ reason });
    const known = this.#problems.get(id);
    if (known?.text === text && known?.message === message) return;
    this.#problems.set(id, { text, message });
    this.#dependencies.log.warn({ id, owner, reason }, `a saved query is skipped: ${message}`);
  }
}

class OverBudget extends Error {}

function reasonOf(error: OverBudget | TriadError): SkipReason {
  if (!isTriadError(error)) return 'over_budget';
  return error.code === 'query_too_complex' ? error.code : 'invalid_query';
}

/** One request: its alerts and its budgets. */
class Evaluation {
  readonly #hits: readonly HitLike[];
  readonly #indexed: (IndexedDocument | undefined)[] = [];
  readonly #budgets = new Map<string, StepBudget>();
  #left = MAX_REQUEST_STEPS;
  #sincePause = 0;

  constructor(hits: readonly HitLike[]) {
    this.#hits = hits;
  }

  /** Returns for each alert whether it matches. @throws OverBudget; the errors of `compile` */
  async matches(owner: string, compile: (budget: StepBudget) => QueryNode): Promise<readonly boolean[]> {
    if (this.#left <= 0) {
      throw new OverBudget(`The saved queries of a request took more than ${MAX_REQUEST_STEPS} steps, the limit.`);
    }
    const budget = this.#budgetOf(owner);
    const node = await this.#counted(budget, () => compile(budget));
    if (node.kind === 'all') return this.#hits.map(() => true);
    const matching: boolean[] = [];
    for (const at of this.#hits.keys()) {
      const indexed = await this.#indexedAt(at);
      matching.push(await this.#counted(budget, () => matchesIndexed(node, indexed, budget)));
    }
    return matching;
  }

  #budgetOf(owner: string): StepBudget {
    const known = this.#budgets.get(owner);
    if (known) return known;
    const message = `The saved queries of ${owner} took more than ${MAX_OWNER_STEPS} steps for one request, the limit.`;
    const budget = new StepBudget(MAX_OWNER_STEPS, () => new OverBudget(message));
    this.#budgets.set(owner, budget);
    return budget;
  }

  async #indexedAt(at: number): Promise<IndexedDocument> {
    const known = this.#indexed[at];
    if (known) return known;
    const indexed = indexedValues(hitDocument, this.#hits[at] as unknown as Hit);
    this.#indexed[at] = indexed;
    await this.#pauseAfter(DOCUMENT_STEPS);
    return indexed;
  }

  async #counted<T>(budget: StepBudget, work: () => T): Promise<T> {
    const before = budget.left;
    try {
      return work();
    } finally {
      const steps = before - budget.left;
      this.#left -= steps;
      await this.#pauseAfter(steps);
    }
  }

  async #pauseAfter(steps: number): Promise<void> {
    this.#sincePause += steps;
    if (this.#sincePause < SLICE_STEPS) return;
    this.#sincePause = 0;
    await setImmediate();
  }
}

function compile(text: string, budget: StepBudget): CompiledQuery {
  try {
    return { node: compileQuery(text, hitDocument, { budget }) };
  } catch (error) {
    if (isTriadError(error)) return { error };
    throw error;
  }
}

function nodeOf(compiled: CompiledQuery): QueryNode {
  if ('error' in compiled) throw compiled.error;
  return compiled.node;
}
