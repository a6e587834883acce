/**
 * Regular languages over classes of characters, which are numbers.
 * The derivative of an expression by a class is what may follow it; equal expressions are the same object, so
 * derivatives are the states of an automaton that is built as it is used. Source: Brzozowski, Derivatives of Regular
 * Expressions (1964).
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

/** Makes expressions and their derivatives. Expressions of one `Language` do not fit another. */
export class Language {
  readonly #known = new Map<string, Expression>();
  readonly nothing = this.#make('0', false, { kind: 'nothing' });
  readonly empty = this.#make('1', true, { kind: 'empty' });

  /** One symbol of a set. `name` tells sets apart. */
  symbol(name: string, contains: (symbol: number) => boolean): Expression {
    return this.#make(`s${name}`, false, { kind: 'symbol', contains });
  }

  sequence(...parts: readonly Expression[]): Expression {
    return parts.reduceRight((rest, first) => this.#pair(first, rest), this.empty);
  }

  either(...parts: readonly Expression[]): Expression {
    const options = this.#distinct(parts);
    const [only] = options;
    if (options.length < 2) return only ?? this.nothing;
    return this.#make(
      `|${ids(options)}`,
      options.some((option) => option.matchesEmpty),
      { kind: 'either', options },
    );
  }

  /** `max` may be Infinity. */
  repeat(inner: Expression, min: number, max: number): Expression {
    if (max < min) return this.nothing;
    if (max === 0 || inner === this.empty) return this.empty;
    if (min === 1 && max === 1) return inner;
    if (inner === this.nothing) return min === 0 ? this.empty : this.nothing;
    const least = inner.matchesEmpty ? 0 : min;
    const { shape } = inner;
    if (
      least === 0 &&
      max === Number.POSITIVE_INFINITY &&
      shape.kind === 'repeat' &&
      shape.min === 0 &&
      shape.max === max
    )
      return inner;
    return this.#make(`${inner.id}{${least},${max}}`, least === 0, { kind: 'repeat', inner, min: least, max });
  }

  /** Returns the language of the strings that may follow `symbol`. */
  derivative(expression: Expression, symbol: number): Expression {
    const known = expression.next.get(symbol);
    if (known) return known;
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

  /** Nested options opened, repeated ones and `nothing` left out, in the order of their making. */
  #distinct(parts: readonly Expression[]): readonly Expression[] {
    const options = parts.flatMap((part) => (part.shape.kind === 'either' ? part.shape.options : [part]));
    return [...new Set(options)].filter((option) => option !== this.nothing).sort((a, b) => a.id - b.id);
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
