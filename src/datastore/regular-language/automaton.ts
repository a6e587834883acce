/**
 * Regular languages over symbols, which are numbers (code points, or classes of characters), with complement and intersection.
 * An expression's derivative by a symbol is what may follow the symbol; expressions that are written alike are the same object, so
 * derivatives are the states of an automaton that is built as it is used.
 * Source: Brzozowski, Derivatives of Regular Expressions (1964).
 */
export interface Expression {
  /** Whether the language contains the empty text. */
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
  | { readonly kind: 'both'; readonly options: readonly Expression[] }
  | { readonly kind: 'not'; readonly inner: Expression }
  | { readonly kind: 'repeat'; readonly inner: Expression; readonly min: number; readonly max: number };

/** Thrown when the automaton grows beyond what the caller allows. */
export class TooManyStates extends Error {}

/** Makes expressions and their derivatives. Expressions of one `Language` do not fit another. */
export class Language {
  readonly #known = new Map<string, Expression>();
  readonly #maxExpressions: number;
  readonly nothing: Expression;
  readonly empty: Expression;
  readonly anything: Expression;

  /** @param maxExpressions - where `derivative` throws `TooManyStates` */
  constructor(maxExpressions: number) {
    this.#maxExpressions = maxExpressions;
    this.nothing = this.#make('0', false, { kind: 'nothing' });
    this.empty = this.#make('1', true, { kind: 'empty' });
    this.anything = this.not(this.nothing);
  }

  /** One symbol of a set. `name` tells sets apart. */
  symbol(name: string, contains: (symbol: number) => boolean): Expression {
    return this.#make(`s${name}`, false, { kind: 'symbol', contains });
  }

  sequence(...parts: readonly Expression[]): Expression {
    return parts.reduceRight((rest, first) => this.#pair(first, rest), this.empty);
  }

  either(...parts: readonly Expression[]): Expression {
    const options = this.#distinct(parts, 'either', this.nothing);
    if (options.includes(this.anything)) return this.anything;
    const [only] = options;
    if (options.length < 2) return only ?? this.nothing;
    return this.#make(
      `|${ids(options)}`,
      options.some((option) => option.matchesEmpty),
      { kind: 'either', options },
    );
  }

  both(...parts: readonly Expression[]): Expression {
    const options = this.#distinct(parts, 'both', this.anything);
    if (options.includes(this.nothing)) return this.nothing;
    const [only] = options;
    if (options.length < 2) return only ?? this.anything;
    return this.#make(
      `&${ids(options)}`,
      options.every((option) => option.matchesEmpty),
      { kind: 'both', options },
    );
  }

  not(inner: Expression): Expression {
    if (inner.shape.kind === 'not') return inner.shape.inner;
    return this.#make(`~${inner.id}`, !inner.matchesEmpty, { kind: 'not', inner });
  }

  /** `max` may be Infinity. */
  repeat(inner: Expression, min: number, max: number): Expression {
    if (max < min) return this.nothing;
    if (max === 0 || inner === this.empty) return this.empty;
    if (min === 1 && max === 1) return inner;
    if (inner === this.nothing) return min === 0 ? this.empty : this.nothing;
    const least = inner.matchesEmpty ? 0 : min;
    const { shape } = inner;
    if (least === 0 && max === Number.POSITIVE_INFINITY) {
      if (inner === this.anything || (shape.kind === 'repeat' && shape.min === 0 && shape.max === max)) return inner;
    }
    return this.#make(`${inner.id}{${least},${max}}`, least === 0, { kind: 'repeat', inner, min: least, max });
  }

  /**
   * What may follow `symbol` in a text of the language.
   * @throws TooManyStates
   */
  derivative(expression: Expression, symbol: number): Expression {
    const known = expression.next.get(symbol);
    if (known) return known;
    if (this.#known.size > this.#maxExpressions) throw new TooManyStates();
    const derivative = this.#derive(expression, symbol);
    expression.next.set(symbol, derivative);
    return derivative;
  }

  #derive({ shape }: Expression, symbol: number): Expression {
    switch (shape.kind) {
      case 'nothing':
      case 'empty':
        return this.nothing;
      case 'symbol':
        return shape.contains(symbol) ? this.empty : this.nothing;
      case 'sequence': {
        const afterFirst = this.#pair(this.derivative(shape.first, symbol), shape.rest);
        return shape.first.matchesEmpty ? this.either(afterFirst, this.derivative(shape.rest, symbol)) : afterFirst;
      }
      case 'either':
        return this.either(...shape.options.map((option) => this.derivative(option, symbol)));
      case 'both':
        return this.both(...shape.options.map((option) => this.derivative(option, symbol)));
      case 'not':
        return this.not(this.derivative(shape.inner, symbol));
      case 'repeat':
        return this.#pair(
          this.derivative(shape.inner, symbol),
          this.repeat(shape.inner, Math.max(shape.min - 1, 0), shape.max - 1),
        );
    }
  }

  #pair(first: Expression, rest: Expression): Expression {
    if (first === this.nothing || rest === this.nothing) return this.nothing;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    if (first.shape.kind === 'sequence') return this.#pair(first.shape.first, this.#pair(first.shape.rest, rest));
    return this.#make(`${first.id}.${rest.id}`, first.matchesEmpty && rest.matchesEmpty, {
      kind: 'sequence',
      first,
      rest,
    });
  }

  /** Nested ones opened, repeated ones and the neutral one left out, in the order of their making. */
  #distinct(parts: readonly Expression[], kind: 'either' | 'both', neutral: Expression): readonly Expression[] {
    const distinct = new Set<Expression>();
    for (const part of parts) {
      const options = part.shape.kind === kind ? part.shape.options : [part];
      for (const option of options) if (option !== neutral) distinct.add(option);
    }
    return [...distinct].sort((a, b) => a.id - b.id);
  }

  #make(key: string, matchesEmpty: boolean, shape: Shape): Expression {
    const known = this.#known.get(key);
    if (known) return known;
    const made: Expression = { matchesEmpty, id: this.#known.size, shape, next: new Map() };
    this.#known.set(key, made);
    return made;
  }
}

function ids(options: readonly Expression[]): string {
  return options.map((option) => option.id).join(',');
}
