import { isObject } from '../../../json/json-object.ts';
import { describeProblems, type ModelContext, type ModelProblem } from '../../models/model-reading.ts';
import {
  passBulkEntry,
  passItems,
  type QueryResult,
  readBulkEntry,
  readSingleAnswer,
  type SentResult,
} from '../../models/query-result.ts';
import type { Selector } from '../../models/selector.ts';
import { SourceFailure } from '../source-failure.ts';

export interface AnswerContext extends ModelContext {
  /** The answers of the source are not validated. */
  readonly production: boolean;
  /** Items that the caller wants for one value. */
  readonly limit: number;
}

/** Maximum number of items for one value of a source that ignores the limit of the lookup. */
const MAX_ITEMS = 1_000;
const MAX_WANTED_ITEMS = 5_000;

/** An answer that is not of the protocol; the message says where. */
export class InvalidAnswer extends Error {
  /** True when parts of the answer are wrong: the message names their places. */
  readonly hasPlaces: boolean;

  constructor(message: string, hasPlaces = false) {
    super(message);
    this.name = 'InvalidAnswer';
    this.hasPlaces = hasPlaces;
  }
}

/**
 * Returns what a bulk answer has for each selector; those that it leaves out are absent. Types and
 * values that were not asked for are ignored. One invalid item makes the whole answer invalid.
 * @throws InvalidAnswer
 */
export function readBulkAnswer(
  answer: unknown,
  selectors: readonly Selector[],
  context: AnswerContext,
): ReadonlyMap<Selector, SentResult> {
  const results = new Map<Selector, SentResult>();
  if (answer === null || (isObject(answer) && Object.keys(answer).length === 0)) {
    for (const selector of selectors) results.set(selector, NOTHING);
    return results;
  }
  if (!isObject(answer)) throw new InvalidAnswer('the answer is not an object');
  const limit = itemLimit(context);
  for (const selector of selectors) {
    const ofType = ownValue(answer, selector.type);
    if (ofType === undefined || ofType === null) continue;
    if (!isObject(ofType)) throw new InvalidAnswer(`the values of type ${selector.type} are not an object`);
    const entry = ownValue(ofType, selector.value);
    if (entry === undefined) continue;
    if (isObject(entry)) rejectMany(entry.items, limit);
    const reading = context.production ? passBulkEntry(entry) : readBulkEntry(entry, context);
    if ('problems' in reading) throw invalid(reading.problems);
    results.set(selector, reading.ok);
  }
  return results;
}

/** Returns the items of a single answer. @throws InvalidAnswer; SourceFailure `unusable` */
export function readItems(answer: unknown, context: AnswerContext): QueryResult['items'] {
  rejectMany(answer, itemLimit(context));
  if (context.production) return passItems(answer);
  for (const entry of Array.isArray(answer) ? answer : [answer]) {
    if (isObject(entry) && entry.annotations !== undefined && !Array.isArray(entry.annotations)) {
      throw new SourceFailure('unusable', 'the annotations of an entry are not an array');
    }
  }
  const reading = readSingleAnswer(answer, context);
  if ('problems' in reading) throw invalid(reading.problems);
  return reading.ok;
}

const NOTHING: SentResult = { items: [] };

function itemLimit({ limit }: AnswerContext): number {
  return Math.min(Math.max(limit, MAX_ITEMS), MAX_WANTED_ITEMS);
}

function rejectMany(items: unknown, limit: number): void {
  if (Array.isArray(items) && items.length > limit) {
    throw new InvalidAnswer(`there are ${items.length} items for one value, at most ${limit} are allowed`, true);
  }
}

function ownValue(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function invalid(problems: readonly ModelProblem[]): InvalidAnswer {
  return new InvalidAnswer(describeProblems(problems), true);
}
