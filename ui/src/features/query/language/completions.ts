import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { escapedTerm, quotedBound, quotedValue } from '../../../../../src/datastore/query-language/written-values.ts';
import { MATCH_ALL } from '../model/query-request.ts';
import { type CompletionPlace, completionPlace } from './completion-place.ts';
import { fieldOf, type QueryField, type QueryFields } from './query-fields.ts';

/** One line of the list of completions. */
export interface Suggestion {
  readonly kind: 'field' | 'value' | 'operator' | 'date' | 'saved' | 'history';
  readonly label: string;
  /** The text that a choice puts into the query. */
  readonly insert: string;
  /** Type of a field, or what a saved query is called. */
  readonly detail?: string | undefined;
  /** Records with the value. */
  readonly count?: number | undefined;
  /** Description of a field. */
  readonly info?: string | undefined;
}

export interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Suggestion[];
}

/** A value of a field that records have. */
export interface CountedValue {
  readonly value: string;
  readonly count?: number | undefined;
}

export interface SavedQuery {
  readonly name: string;
  readonly query: string;
}

/** Sources of completions beyond the query itself. Each of them may be missing. */
export interface CompletionSources {
  /**
   * Returns values of a field that begin with what is typed, the most frequent first.
   * @param rest the query without the clause that is being typed
   */
  readonly values?: (
    field: QueryField,
    typed: string,
    rest: string,
    signal: AbortSignal,
  ) => Promise<readonly CountedValue[]>;
  /** Saved queries, such as views. */
  readonly saved?: () => readonly SavedQuery[];
  /** Queries that this person ran before, the last one first. */
  readonly history?: () => readonly string[];
}

const MAX_FIELDS = 50;
const MAX_VALUES = 50;
const MAX_HISTORY = 10;
const MAX_SAVED = 10;

/** Date math that is offered for a date field. */
export const DATE_STEPS = ['now-15m', 'now-1h', 'now-24h', 'now-7d', 'now-30d', 'now/d', 'now-1d/d', 'now/w', 'now/M'];
const OPERATORS = ['AND', 'OR', 'NOT'];

/** Returns the completions at a position of the text, without the values that only the server knows. */
export function suggestionsAt(
  text: string,
  cursor: number,
  fields: QueryFields | undefined,
  sources: CompletionSources,
): { readonly place: CompletionPlace; readonly suggestions: Suggestions } | undefined {
  const place = completionPlace(text, cursor);
  if (place === undefined) return undefined;
  const { from, to } = place;
  return { place, suggestions: { from, to, items: localItems(text, place, fields, sources) } };
}

function localItems(
  text: string,
  place: CompletionPlace,
  fields: QueryFields | undefined,
  sources: CompletionSources,
): readonly Suggestion[] {
  const typed = place.typed.toUpperCase();
  const operators = OPERATORS.filter((name) => name.startsWith(typed) && (place.followsClause || name === 'NOT'));
  const operatorItems = operators.map((name): Suggestion => ({ kind: 'operator', label: name, insert: `${name} ` }));
  if (place.kind === 'operator') return operatorItems;
  if (place.kind === 'field') {
    const isWholeText = text.trim() === place.typed;
    const before = isWholeText ? wholeQueries(place.typed, sources) : [];
    return [...before, ...(typed === '' ? [] : operatorItems), ...fieldItems(place.typed, fields)];
  }
  const field = place.field === undefined ? undefined : fields && fieldOf(fields, place.field);
  if (place.field === '_exists_')
    return fieldItems(place.typed, fields).map((item) => ({ ...item, insert: item.label }));
  return field ? fixedValues(field, place) : [];
}

/** Saved queries and earlier ones, which replace the whole text. */
function wholeQueries(typed: string, { saved, history }: CompletionSources): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const views = (saved?.() ?? []).filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MAX_SAVED);
  const earlier = (history?.() ?? []).filter((query) => query.toLowerCase().includes(wanted)).slice(0, MAX_HISTORY);
  return [
    ...earlier.map((query): Suggestion => ({ kind: 'history', label: query, insert: query })),
    ...views.map(({ name, query }): Suggestion => ({ kind: 'saved', label: name, insert: query, info: query })),
  ];
}

/** Returns fields whose name or a part of it begins with what is typed, the closest first. */
export function fieldItems(typed: string, fields: QueryFields | undefined): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const ranked = (fields?.all ?? []).flatMap((field) => {
    const rank = rankOf(field.name.toLowerCase(), wanted);
    return rank === undefined || field.indexed === false ? [] : [{ field, rank: rank + (field.deprecated ? 10 : 0) }];
  });
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.slice(0, MAX_FIELDS).map(({ field }) => ({
    kind: 'field',
    label: field.name,
    insert: `${escapedTerm(field.name)}:`,
    detail: field.type,
    info: field.description,
  }));
}

function rankOf(name: string, wanted: string): number | undefined {
  if (name.startsWith(wanted)) return 0;
  if (name.includes(`.${wanted}`)) return 1;
  return name.includes(wanted) ? 2 : undefined;
}

/** Values that the type of the field decides. */
function fixedValues({ type, values }: QueryField, place: CompletionPlace): readonly Suggestion[] {
  if (type === 'date') {
    const steps = DATE_STEPS.filter((step) => step.startsWith(place.typed));
    return steps.flatMap((step) => dateItem(step, place) ?? []);
  }
  const names = type === 'boolean' ? ['true', 'false'] : (values ?? []);
  return names.filter((name) => startsAlike(name, place.typed)).map((value) => valueItem({ value }, place));
}

/** A slash begins a regular expression outside of brackets. */
function dateItem(step: string, { inRange, followsSign }: CompletionPlace): Suggestion | undefined {
  const hasSlash = step.includes('/');
  if (followsSign && hasSlash) return undefined;
  const insert = inRange || followsSign ? step : hasSlash ? `[${step} TO ${step}]` : `>=${step}`;
  return { kind: 'date', label: step, insert };
}

/** Returns the values of the server as completions; those of the type that it did not count follow. */
export function withCounts(
  fixed: readonly Suggestion[],
  counted: readonly CountedValue[],
  place: CompletionPlace,
): readonly Suggestion[] {
  const items = counted.filter(({ value }) => startsAlike(value, place.typed)).map((one) => valueItem(one, place));
  const known = new Set(items.map(({ label }) => label));
  return [...items, ...fixed.filter(({ label }) => !known.has(label))].slice(0, MAX_VALUES);
}

function valueItem({ value, count }: CountedValue, place: CompletionPlace): Suggestion {
  const insert = place.inRange ? quotedBound(value) : quotedValue(value);
  return { kind: 'value', label: value, insert, count };
}

function startsAlike(value: string, typed: string): boolean {
  return value.toLowerCase().startsWith(typed.toLowerCase());
}

/**
 * Returns the query without the clause at a place, for counting its values; everything where none
 * remains.
 */
export function restOfQuery(text: string, place: CompletionPlace): string {
  const start = place.field === undefined ? place.from : text.lastIndexOf(place.field, place.from);
  const before = text.slice(0, Math.max(0, start)).replace(/(?:\s*(?:AND|OR|NOT|&&|\|\||[-+!]))*\s*$/, '');
  const after = text.slice(place.to).replace(/^\s*(?:AND|OR|&&|\|\|)\s*/, '');
  const rest = [before, after].filter((part) => part.trim() !== '').join(' AND ');
  return rest !== '' && isValid(rest) ? rest : MATCH_ALL;
}

function isValid(query: string): boolean {
  try {
    parseSyntax(query);
    return true;
  } catch {
    return false;
  }
}
