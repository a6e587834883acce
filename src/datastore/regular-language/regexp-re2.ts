import type { CodePointRange } from './automaton.ts';
import { MAX_PATTERN_STEPS, patternBudget, type StepBudget } from './query-limits.ts';
import { checkRegexp } from './regexp.ts';
import { MalformedRegexp, parseRegexp, type RegexpNode } from './regexp-parser.ts';
import { compileWildcard, escapeRe2 } from './wildcard.ts';

/** RE2 refuses more repetitions than this, also nested ones multiplied. */
const MAX_RE2_REPETITIONS = 1000;

/** Steps of compiling beyond which RE2 simulates states: a hundred times slower, and not interruptible. */
const MAX_RE2_STEPS = 20_000;

/** Returns whether RE2 matches a wildcard in time linear in the length of the value. */
export function isSimpleWildcard(pattern: string): boolean {
  return isSimple((budget) => compileWildcard(pattern, budget));
}

/** Returns a pattern for `regexp_full_match`; undefined when RE2 cannot express it, or takes too long. */
export function toRe2(pattern: string): string | undefined {
  try {
    const node = parseRegexp(pattern);
    if (repetitions(node) > MAX_RE2_REPETITIONS || !isSimple((budget) => checkRegexp(pattern, budget)))
      return undefined;
    return re2Of(node);
  } catch (error) {
    if (error instanceof MalformedRegexp) return undefined;
    throw error;
  }
}

function isSimple(compile: (budget: StepBudget) => void): boolean {
  const budget = patternBudget();
  compile(budget);
  return MAX_PATTERN_STEPS - budget.left <= MAX_RE2_STEPS;
}

function re2Of(node: RegexpNode): string | undefined {
  switch (node.kind) {
    case 'either':
      return joined(node.options, '|');
    case 'sequence':
      return joined(node.parts, '');
    case 'repeat':
      return repeated(node);
    case 'characters':
      return `[${node.negated ? '^' : ''}${node.ranges.map(re2Range).join('')}]`;
    case 'literal':
      return `(?:${escapeRe2(node.text)})`;
    case 'any_character':
      return '(?s:.)';
    case 'any_text':
      return '(?s:.*)';
    case 'nothing':
      return NOTHING;
    case 'both':
    case 'not':
    case 'interval':
      return undefined;
  }
}

const NOTHING = '[^\\x00-\\x{10FFFF}]';

function joined(nodes: readonly RegexpNode[], separator: string): string | undefined {
  const parts = nodes.map(re2Of);
  return parts.includes(undefined) ? undefined : `(?:${parts.join(separator)})`;
}

function repeated({ inner, min, max }: Extract<RegexpNode, { kind: 'repeat' }>): string | undefined {
  const text = re2Of(inner);
  if (text === undefined) return undefined;
  return `(?:(?:${text}){${min},${max === Number.POSITIVE_INFINITY ? '' : max}})`;
}

function repetitions(node: RegexpNode): number {
  switch (node.kind) {
    case 'either':
    case 'both':
      return Math.max(1, ...node.options.map(repetitions));
    case 'sequence':
      return Math.max(1, ...node.parts.map(repetitions));
    case 'repeat':
      return repetitions(node.inner) * Math.max(1, node.min, Number.isFinite(node.max) ? node.max : 0);
    case 'not':
      return repetitions(node.inner);
    default:
      return 1;
  }
}

function re2Range([first, last]: CodePointRange): string {
  return first === last ? re2Character(first) : `${re2Character(first)}-${re2Character(last)}`;
}

function re2Character(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
