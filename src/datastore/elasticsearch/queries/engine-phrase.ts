import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { Unsupported } from '../../../errors/errors.ts';
import type { PhraseTerm } from '../../port/query-tree.ts';
import { anyDsl, type Dsl, MATCH_NONE_DSL } from './engine-values.ts';

/** Maximum number of exact phrases that replace one phrase with gaps and slop. */
const MAX_PHRASES = 500;

/**
 * A phrase. Terms in a row go as text through an analyzer that only splits them again; terms with gaps
 * between them as spans, since no text says a gap, and every way in which the slop may move them as a phrase of its
 * own.
 */
export function phraseDsl(kind: SearchKind, field: string, given: readonly PhraseTerm[], slop: number): Dsl {
  const terms = given.toSorted((a, b) => a.position - b.position);
  const [first] = terms;
  if (first === undefined) return MATCH_NONE_DSL;
  if (terms.length === 1) return { term: { [field]: { value: first.text } } };
  if (terms.every(({ position }, at) => position === first.position + at)) {
    return { match_phrase: { [field]: { query: joined(kind, terms), slop, analyzer: ANALYZERS[kind].name } } };
  }
  if ((slop + 1) ** terms.length > MAX_PHRASES) {
    throw new Unsupported('phrase_unsupported', 'A phrase with gaps may have few words and a small slop only.');
  }
  return anyDsl(moves(terms, slop).map((moved) => spanDsl(field, moved)));
}

interface Splitter {
  readonly name: string;
  readonly separator: string;
}

const WORDS: Splitter = { name: 'whitespace', separator: ' ' };
/**
 * Words have no blank inside; parts of an ssdeep hash have no colon inside, and their own analyzer is
 * on every index.
 */
const ANALYZERS: Readonly<Record<SearchKind, Splitter>> = {
  keyword: WORDS,
  lowercase_keyword: WORDS,
  text: WORDS,
  ssdeep: { name: 'text_fuzzy', separator: ':' },
  integer: WORDS,
  long: WORDS,
  float: WORDS,
  boolean: WORDS,
  date: WORDS,
  ip: WORDS,
  none: WORDS,
};

function joined(kind: SearchKind, terms: readonly PhraseTerm[]): string {
  return terms.map(({ text }) => text).join(ANALYZERS[kind].separator);
}

/** The terms at all places that lie at most `slop` from their own. */
function moves(terms: readonly PhraseTerm[], slop: number): readonly (readonly PhraseTerm[])[] {
  let all: PhraseTerm[][] = [[]];
  for (const { text, position } of terms) {
    all = all.flatMap((moved) =>
      Array.from({ length: slop + 1 }, (_, by) => [...moved, { text, position: position + by }]),
    );
  }
  const places = new Set<string>();
  return all.filter((moved) => {
    const positions = moved.map(({ position }) => position);
    // Two words never have one place, and what is moved as a whole is where it was.
    if (new Set(positions).size < positions.length) return false;
    const start = Math.min(...positions);
    const place = positions.map((position) => position - start).join();
    return !places.has(place) && places.add(place);
  });
}

/** @see https://www.elastic.co/docs/reference/query-languages/query-dsl/query-dsl-span-near-query */
function spanDsl(field: string, moved: readonly PhraseTerm[]): Dsl {
  const clauses: Dsl[] = [];
  let next: number | undefined;
  for (const { text, position } of moved.toSorted((a, b) => a.position - b.position)) {
    if (next !== undefined && position > next) clauses.push({ span_gap: { [field]: position - next } });
    clauses.push({ span_term: { [field]: { value: text } } });
    next = position + 1;
  }
  return { span_near: { clauses, slop: 0, in_order: true } };
}
