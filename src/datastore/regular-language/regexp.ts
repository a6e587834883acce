import { ANY_CODE_POINT, type Dfa, Nfa } from './automaton.ts';
import { invalidQuery, patternBudget, type StepBudget } from './query-limits.ts';
import { type QueryProblem, queryProblem } from './query-problems.ts';
import { complement, MalformedRegexp, parseRegexp, type RegexpNode } from './regexp-parser.ts';

/** Returns what is wrong with a pattern, if anything; throws `query_too_complex`. */
export function checkRegexp(pattern: string, budget: StepBudget = patternBudget()): QueryProblem | undefined {
  try {
    automatonOf(parseRegexp(pattern), budget);
    return undefined;
  } catch (error) {
    if (error instanceof MalformedRegexp) return error.problem;
    throw error;
  }
}

/** Compiles a linear-time test of whole values; throws `invalid_query`, `query_too_complex`. */
export function compileRegexp(pattern: string): (value: string) => boolean {
  try {
    const automaton = automatonOf(parseRegexp(pattern), patternBudget());
    return (value) => automaton.accepts(value);
  } catch (error) {
    if (error instanceof MalformedRegexp) {
      throw invalidQuery(queryProblem('malformed_regexp', { reason: error.problem }), 0);
    }
    throw error;
  }
}

function automatonOf(node: RegexpNode, budget: StepBudget): Dfa {
  const nfa = new Nfa(budget);
  const start = nfa.state();
  return nfa.determinize(start, add(nfa, node, start));
}

/** Adds what the node matches after a state. Returns the state at its end, which nothing follows yet. */
function add(nfa: Nfa, node: RegexpNode, from: number): number {
  switch (node.kind) {
    case 'either': {
      const end = nfa.state();
      for (const option of node.options) nfa.jump(add(nfa, option, from), end);
      return end;
    }
    case 'both': {
      const others = node.options.map((inner): RegexpNode => ({ kind: 'not', inner }));
      return add(nfa, { kind: 'not', inner: { kind: 'either', options: others } }, from);
    }
    case 'sequence':
      return node.parts.reduce((end, part) => add(nfa, part, end), from);
    case 'repeat':
      return addRepeated(nfa, node, from);
    case 'not': {
      const end = nfa.state();
      nfa.embed(automatonOf(node.inner, nfa.budget).complement(), from, end);
      return end;
    }
    case 'characters':
      return nfa.next(from, node.negated ? complement(node.ranges) : node.ranges);
    case 'literal':
      return nfa.literal(node.text, from);
    case 'any_character':
      return nfa.next(from, ANY_CODE_POINT);
    case 'any_text':
      return nfa.anyString(from);
    case 'nothing':
      return nfa.state();
    case 'interval':
      return add(nfa, intervalNode(node.min, node.max, node.digits), from);
  }
}

type Repeat = Extract<RegexpNode, { kind: 'repeat' }>;

function addRepeated(nfa: Nfa, { inner, min, max }: Repeat, from: number): number {
  let end = from;
  for (let count = 0; count < min; count += 1) {
    nfa.budget.spend(1);
    end = add(nfa, inner, end);
  }
  if (max === Number.POSITIVE_INFINITY) return addLoop(nfa, inner, end);
  const exit = nfa.state();
  nfa.jump(end, exit);
  for (let count = min; count < max; count += 1) {
    end = add(nfa, inner, end);
    nfa.jump(end, exit);
  }
  return exit;
}

function addLoop(nfa: Nfa, inner: RegexpNode, from: number): number {
  if (inner.kind === 'any_character') return nfa.anyString(from);
  const loop = nfa.state();
  nfa.jump(from, loop);
  nfa.jump(add(nfa, inner, loop), loop);
  return loop;
}

function intervalNode(min: number, max: number, digits: number): RegexpNode {
  if (digits > 0) return numbersBetween(String(min).padStart(digits, '0'), String(max).padStart(digits, '0'));
  const zero: RegexpNode = { kind: 'literal', text: '0' };
  const zeros: RegexpNode = { kind: 'repeat', inner: zero, min: 0, max: Number.POSITIVE_INFINITY };
  const width = String(max).length;
  const options: RegexpNode[] = [];
  for (let length = String(min).length; length <= width; length += 1) {
    const first = length === String(min).length ? String(min) : `1${'0'.repeat(length - 1)}`;
    const last = length === width ? String(max) : '9'.repeat(length);
    options.push(numbersBetween(first, last));
  }
  return { kind: 'sequence', parts: [zeros, { kind: 'either', options }] };
}

/** Numbers between two of the same length. */
function numbersBetween(first: string, last: string): RegexpNode {
  if (first === '') return { kind: 'literal', text: '' };
  const low = first.charCodeAt(0);
  const high = last.charCodeAt(0);
  const rest = first.length - 1;
  if (low === high) return digitThen(low, low, numbersBetween(first.slice(1), last.slice(1)));
  const inner = low + 1 <= high - 1 ? [digitThen(low + 1, high - 1, anyDigits(rest))] : [];
  return {
    kind: 'either',
    options: [
      digitThen(low, low, numbersBetween(first.slice(1), '9'.repeat(rest))),
      ...inner,
      digitThen(high, high, numbersBetween('0'.repeat(rest), last.slice(1))),
    ],
  };
}

function digitThen(first: number, last: number, rest: RegexpNode): RegexpNode {
  return { kind: 'sequence', parts: [{ kind: 'characters', ranges: [[first, last]], negated: false }, rest] };
}

function anyDigits(count: number): RegexpNode {
  const digit: RegexpNode = { kind: 'characters', ranges: [[0x30, 0x39]], negated: false };
  return { kind: 'repeat', inner: digit, min: count, max: count };
}
