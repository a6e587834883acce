/**
 * Regular languages over classes of characters, which are numbers.
 * Equal expressions are one object, so derivatives are the states of an automaton that is built as it is used.
 * Source: Brzozowski, Derivatives of Regular Expressions (1964).
 */
export interface Expression {
  /** True if the language contains the empty string. */
  readonly matchesEmpty: boolean;
  readonly id: number;
  readonly shape: Shape;
  /** Known derivatives. */
  readonly next: Map<number, Expression>;
}

type Shape =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'symbol'; readonly contains: (symbol: number) => boolean }
  | { readonly kind: 'sequence'; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: 'either'; readonly options: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly inner: Expression; readonly min: number; readonly max: number };

const KNOWN = new Map<string, Expression>();
export const NOTHING = make('0', false, { kind: 'nothing' });
const EMPTY = make('1', true, { kind: 'empty' });

/** One symbol of a set. `name` tells sets apart. */
export function symbol(name: string, contains: (symbol: number) => boolean): Expression {
  return make(`s${name}`, false, { kind: 'symbol', contains });
}

export function sequence(...parts: readonly Expression[]): Expression {
  return parts.reduceRight((rest, first) => pair(first, rest), EMPTY);
}

export function either(...parts: readonly Expression[]): Expression {
  const options = distinct(parts);
  const [only] = options;
  if (options.length < 2) return only ?? NOTHING;
  const matchesEmpty = options.some((option) => option.matchesEmpty);
  return make(`|${options.map(({ id }) => id).join(',')}`, matchesEmpty, { kind: 'either', options });
}

/** `max` may be Infinity. */
export function repeat(inner: Expression, min: number, max: number): Expression {
  if (max < min) return NOTHING;
  if (max === 0 || inner === EMPTY) return EMPTY;
  if (min === 1 && max === 1) return inner;
  if (inner === NOTHING) return min === 0 ? EMPTY : NOTHING;
  const least = inner.matchesEmpty ? 0 : min;
  const { shape } = inner;
  const isAny = least === 0 && max === Number.POSITIVE_INFINITY;
  if (isAny && shape.kind === 'repeat' && shape.min === 0 && shape.max === max) return inner;
  return make(`${inner.id}{${least},${max}}`, least === 0, { kind: 'repeat', inner, min: least, max });
}

/** Returns the language of the strings that may follow `symbol`. */
export function derivative(expression: Expression, symbol: number): Expression {
  const known = expression.next.get(symbol);
  if (known) return known;
  const derivative = derive(expression, symbol);
  expression.next.set(symbol, derivative);
  return derivative;
}

function derive({ shape }: Expression, symbol: number): Expression {
  switch (shape.kind) {
    case 'nothing':
    case 'empty':
      return NOTHING;
    case 'symbol':
      return shape.contains(symbol) ? EMPTY : NOTHING;
    case 'sequence': {
      const afterFirst = pair(derivative(shape.first, symbol), shape.rest);
      return shape.first.matchesEmpty ? either(afterFirst, derivative(shape.rest, symbol)) : afterFirst;
    }
    case 'either':
      return either(...shape.options.map((option) => derivative(option, symbol)));
    case 'repeat':
      return pair(derivative(shape.inner, symbol), repeat(shape.inner, Math.max(shape.min - 1, 0), shape.max - 1));
  }
}

function pair(first: Expression, rest: Expression): Expression {
  if (first === NOTHING || rest === NOTHING) return NOTHING;
  if (first === EMPTY) return rest;
  if (rest === EMPTY) return first;
  if (first.shape.kind === 'sequence') return pair(first.shape.first, pair(first.shape.rest, rest));
  const matchesEmpty = first.matchesEmpty && rest.matchesEmpty;
  return make(`${first.id}.${rest.id}`, matchesEmpty, { kind: 'sequence', first, rest });
}

/** Nested options opened, repeated ones and `nothing` left out, in the order of their making. */
function distinct(parts: readonly Expression[]): readonly Expression[] {
  const options = parts.flatMap((part) => (part.shape.kind === 'either' ? part.shape.options : [part]));
  return [...new Set(options)].filter((option) => option !== NOTHING).sort((a, b) => a.id - b.id);
}

function make(key: string, matchesEmpty: boolean, shape: Shape): Expression {
  const known = KNOWN.get(key);
  if (known) return known;
  const made: Expression = { matchesEmpty, id: KNOWN.size, shape, next: new Map() };
  KNOWN.set(key, made);
  return made;
}
