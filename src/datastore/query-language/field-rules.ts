import type { SearchKind } from '../../documents/schema/field-types.ts';
import { type Bound, type IndexedValue, MATCH_NONE, type QueryNode } from '../port/query-tree.ts';
import { lowercase } from '../regular-language/code-points.ts';
import {
  MAX_FUZZY_LENGTH,
  MAX_SLOPPY_PHRASE_WORDS,
  queryTooComplex,
  type StepBudget,
} from '../regular-language/query-limits.ts';
import { type QueryProblem, type QueryProblemId, queryProblem } from '../regular-language/query-problems.ts';
import { checkRegexp } from '../regular-language/regexp.ts';
import { substringRegexp } from '../regular-language/substring-regexp.ts';
import { compileWildcard, mapWildcardLiterals } from '../regular-language/wildcard.ts';
import { type AnalysedKind, analyse } from './analysis.ts';
import { parseDateMath } from './date-parsing.ts';
import { parseAddress, parseNetwork } from './ip-address.ts';
import { INTEGER_LIMITS, parseDecimal, parseIntegerPart } from './number-parsing.ts';
import type { LeafSyntax, SyntaxBound } from './syntax-tree.ts';

/** Why a clause cannot be asked of a field. */
export class Refusal {
  /** Without the value `field`. */
  readonly problem: QueryProblem;
  /** `syntax`: no field would take the clause. */
  readonly kind: 'type' | 'syntax';

  constructor(id: QueryProblemId, values?: QueryProblem['values'], kind: Refusal['kind'] = 'type') {
    this.problem = queryProblem(id, values);
    this.kind = kind;
  }
}

/** Undefined: the clause says nothing (text without a word) and drops out of its group. */
export type RuleResult = QueryNode | undefined | Refusal;

export interface RuleContext {
  readonly now: Date;
  /** For the patterns of the whole query. */
  readonly budget: StepBudget;
}

export type RuleLeaf = Exclude<LeafSyntax, { kind: 'any_value' }>;
type Rule<K extends RuleLeaf['kind']> = (
  field: string,
  clause: Extract<RuleLeaf, { kind: K }>,
  context: RuleContext,
) => RuleResult;
type TextRule = (field: string, clause: { readonly text: string }, context: RuleContext) => RuleResult;

type FieldRules = { readonly [K in RuleLeaf['kind']]: Rule<K> };

const same = (text: string): string => text;

const FIELD_RULES: Record<SearchKind, FieldRules> = {
  keyword: { ...keywordValue(same), ...patterns(same, same) },
  lowercase_keyword: { ...keywordValue(lowercase), ...patterns(lowercase, lowercase) },
  text: { ...textValue('text'), range: typedRange(lowercase), ...patterns(lowercase, same) },
  ssdeep: { ...textValue('ssdeep'), range: typedRange(same), ...patterns(same, same) },
  integer: exactValue(integerTerm('integer'), integerRange('integer')),
  long: exactValue(integerTerm('long'), integerRange('long')),
  float: exactValue(floatTerm, floatRange),
  boolean: exactValue(booleanTerm, typedRange(readBoolean)),
  date: exactValue((field, { text }, context) => {
    const bound = { text, inclusive: true };
    return rangeOf(dateBound)(field, { lower: bound, upper: bound }, context);
  }, rangeOf(dateBound)),
  ip: exactValue(ipTerm, typedRange(readAddress)),
  none: refusing('not_searchable'),
};

export function ask(clause: RuleLeaf, field: string, kind: SearchKind, context: RuleContext): RuleResult {
  // The rule of a kind of clause takes clauses of that kind.
  return FIELD_RULES[kind][clause.kind](field, clause as never, context);
}

function textValue(kind: AnalysedKind): Pick<FieldRules, 'words' | 'phrase'> {
  return {
    words: (field, { text }) => {
      const nodes = analyse(kind, text).map((token): QueryNode => ({ kind: 'term', field, value: token.text }));
      return nodes.length < 2 ? nodes[0] : { kind: 'boolean', must: [], should: nodes, mustNot: [] };
    },
    phrase: (field, { text, slop }) => {
      const terms = analyse(kind, text).map((token) => token.text);
      const [first] = terms;
      if (first === undefined) return undefined;
      if (terms.length === 1) return { kind: 'term', field, value: first };
      if (slop < 0) return new Refusal('negative_distance', { distance: slop }, 'syntax');
      if (slop > 0 && terms.length > MAX_SLOPPY_PHRASE_WORDS) {
        throw queryTooComplex(queryProblem('long_sloppy_phrase', { most: MAX_SLOPPY_PHRASE_WORDS }));
      }
      return { kind: 'phrase', field, terms, slop };
    },
  };
}

function keywordValue(normalise: (text: string) => string): Pick<FieldRules, 'words' | 'phrase' | 'range'> {
  const words: TextRule = (field, { text }) => ({ kind: 'term', field, value: normalise(text) });
  return { words, phrase: words, range: typedRange(normalise) };
}

/** Regular expressions on text are compared as written, though its tokens are lower-cased. */
function patterns(
  normalise: (text: string) => string,
  normalisePattern: (text: string) => string,
): Pick<FieldRules, 'prefix' | 'wildcard' | 'regexp' | 'fuzzy'> {
  return {
    prefix: (field, { text }) => ({ kind: 'prefix', field, value: normalise(text) }),
    wildcard: (field, { pattern }, { budget }) => {
      const normalised = mapWildcardLiterals(pattern, normalise);
      compileWildcard(normalised, budget);
      return { kind: 'wildcard', field, pattern: normalised };
    },
    regexp: (field, { pattern }, { budget }) => {
      const normalised = normalisePattern(pattern);
      const isSubstring = substringRegexp(normalised) !== undefined;
      const reason = isSubstring ? undefined : checkRegexp(normalised, budget);
      if (reason !== undefined) return new Refusal('field_regexp', { reason }, 'syntax');
      return { kind: 'regexp', field, pattern: normalised };
    },
    fuzzy: (field, { text, maxEdits }) => {
      const value = normalise(text);
      if (maxEdits === 0) return { kind: 'term', field, value };
      if (value.length > MAX_FUZZY_LENGTH)
        throw queryTooComplex(queryProblem('long_fuzzy', { most: MAX_FUZZY_LENGTH }));
      return { kind: 'fuzzy', field, value, maxEdits };
    },
  };
}

function exactValue(words: TextRule, range: RangeRule): FieldRules {
  const { fuzzy } = refusing('no_fuzzy');
  return { ...refusing('no_patterns'), words, phrase: words, range, fuzzy };
}

function refusing(reason: QueryProblemId): FieldRules {
  const refuse = () => new Refusal(reason);
  const all = { words: refuse, phrase: refuse, range: refuse, prefix: refuse };
  return { ...all, wildcard: refuse, regexp: refuse, fuzzy: refuse };
}

type Limits = Pick<Extract<LeafSyntax, { kind: 'range' }>, 'lower' | 'upper'>;
type RangeRule = (field: string, limits: Limits, context: RuleContext) => RuleResult;
type ReadBound = (bound: SyntaxBound, side: 'lower' | 'upper', context: RuleContext) => Bound | Refusal;

function rangeOf(read: ReadBound): RangeRule {
  return (field, { lower, upper }, context) => {
    const from = lower && read(lower, 'lower', context);
    if (from instanceof Refusal) return from;
    const to = upper && read(upper, 'upper', context);
    if (to instanceof Refusal) return to;
    return { kind: 'range', field, ...(from && { lower: from }), ...(to && { upper: to }) };
  };
}

function typedRange(read: (text: string) => IndexedValue | Refusal): RangeRule {
  return rangeOf(({ text, inclusive }) => {
    const value = read(text);
    return value instanceof Refusal ? value : { value, inclusive };
  });
}

const notANumber = (text: string): Refusal => new Refusal('not_a_number', { given: JSON.stringify(text) });

type IntegerKind = keyof typeof INTEGER_LIMITS;

function integerValue(kind: IntegerKind, whole: bigint): number | bigint {
  return kind === 'long' ? whole : Number(whole);
}

/** A number with decimals, or beyond the range of the type, is a number that no document holds. */
function integerTerm(kind: IntegerKind): TextRule {
  const { min, max } = INTEGER_LIMITS[kind];
  return (field, { text }) => {
    if (parseDecimal(text) === undefined) return notANumber(text);
    const parsed = parseIntegerPart(text);
    if (!parsed || parsed.hasFraction || parsed.whole < min || parsed.whole > max) return MATCH_NONE;
    return { kind: 'term', field, value: integerValue(kind, parsed.whole) };
  };
}

function integerRange(kind: IntegerKind): RangeRule {
  const { min, max } = INTEGER_LIMITS[kind];
  /** The outermost whole number inside the bound. */
  const range = rangeOf(({ text, inclusive }, side) => {
    const parsed = parseIntegerPart(text);
    if (!parsed) return notANumber(text);
    if (parsed.whole < min || parsed.whole > max) {
      return new Refusal('number_outside', { min, max, given: text });
    }
    const inward = side === 'lower' ? 1n : -1n;
    const isNegative = text.trim().startsWith('-');
    const roundsInward = parsed.hasFraction ? isNegative === inward < 0n : !inclusive;
    const value = integerValue(kind, roundsInward ? parsed.whole + inward : parsed.whole);
    return { value, inclusive: true };
  });
  return (field, limits, context) => {
    const node = range(field, limits, context);
    if (node === undefined || node instanceof Refusal || node.kind !== 'range') return node;
    const [from = min, to = max] = [node.lower?.value, node.upper?.value] as (number | bigint | undefined)[];
    return from > max || to < min ? MATCH_NONE : node;
  };
}

function floatTerm(field: string, { text }: { readonly text: string }): RuleResult {
  const value = parseDecimal(text);
  if (value === undefined) return notANumber(text);
  const float = Math.fround(value);
  return Number.isFinite(float) ? { kind: 'term', field, value: float } : MATCH_NONE;
}

function floatRange(field: string, { lower, upper }: Limits, context: RuleContext): RuleResult {
  // NaN is a number above all others: nothing lies above it, everything below.
  const isOpen = upper && isNotANumber(upper);
  const range = typedRange((text) => {
    const value = parseDecimal(text);
    return value === undefined ? notANumber(text) : Math.fround(value);
  })(field, { lower, upper: isOpen ? undefined : upper }, context);
  return lower && isNotANumber(lower) && !(range instanceof Refusal) ? MATCH_NONE : range;
}

function isNotANumber({ text }: SyntaxBound): boolean {
  return Number.isNaN(parseDecimal(text));
}

function readBoolean(text: string): boolean | Refusal {
  if (text === 'true') return true;
  return text === 'false' ? false : new Refusal('not_boolean', { given: JSON.stringify(text) });
}

function booleanTerm(field: string, { text }: { readonly text: string }): RuleResult {
  const value = readBoolean(text);
  return value instanceof Refusal ? value : { kind: 'term', field, value };
}

/** Returns inclusive milliseconds: `>` starts after, and `<=` ends with, what the date leaves open. */
function dateBound({ text, inclusive }: SyntaxBound, side: 'lower' | 'upper', { now }: RuleContext): Bound | Refusal {
  const time = parseDateMath(text, now, { roundUp: (side === 'upper') === inclusive });
  const given = JSON.stringify(text);
  if (time === 'not_a_date' || time === 'bad_date_math') return new Refusal(time, { given });
  const inward = side === 'lower' ? 1 : -1;
  return { value: inclusive ? time : time + inward, inclusive: true };
}

function readAddress(text: string): string | Refusal {
  return parseAddress(text) ?? new Refusal('not_an_address', { given: JSON.stringify(text) });
}

function ipTerm(field: string, { text }: { readonly text: string }): RuleResult {
  if (!text.includes('/')) {
    const value = readAddress(text);
    return value instanceof Refusal ? value : { kind: 'term', field, value };
  }
  const network = parseNetwork(text);
  if (!network) return new Refusal('not_a_network', { given: JSON.stringify(text) });
  return {
    kind: 'range',
    field,
    lower: { value: network.first, inclusive: true },
    upper: { value: network.last, inclusive: true },
  };
}
