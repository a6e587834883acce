import { type Budget, LimitReached } from './budget.ts';
import { Markup, WidgetResult } from './helpers.ts';
import { type Piece, pieceMark, withoutMarks } from './pieces.ts';
import { textOf } from './printed-values.ts';
import type { TemplateProblem, TemplateResult } from './result.ts';

const MAX_PROBLEMS = 20;

/** Collects what a template writes, the pieces in it and its problems, within the limits of a budget. */
export class TemplateOutput {
  readonly #budget: Budget;
  readonly #markdown: string[] = [];
  readonly #pieces: Piece[] = [];
  readonly #problems = new Map<string, TemplateProblem>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Appends markdown of the template itself. */
  write(text: string): void {
    this.#budget.output(text.length);
    this.#markdown.push(text);
  }

  /** Appends the value of an expression: escaped, it is a piece that markdown cannot change. */
  print(value: unknown, escaped: boolean): void {
    if (value instanceof Markup) this.write(withoutMarks(value.text));
    else if (value instanceof WidgetResult) this.#piece({ kind: 'widget', widget: value.widget });
    else {
      const text = withoutMarks(textOf(value));
      this.#budget.output(text.length);
      if (text === '') return;
      if (escaped) this.#piece({ kind: 'value', text });
      else this.write(text);
    }
  }

  /** Notes a problem once; further ones than 20 are left out. */
  problem(problem: TemplateProblem): void {
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.set(JSON.stringify(problem), problem);
  }

  result(wanted: Iterable<string>): TemplateResult {
    return {
      markdown: this.#markdown.join(''),
      pieces: this.#pieces,
      problems: [...this.#problems.values()],
      wanted: [...wanted],
    };
  }

  #piece(piece: Piece): void {
    if (this.#pieces.length >= this.#budget.limits.maxPieces) throw new LimitReached('pieces');
    this.write(pieceMark(this.#pieces.length));
    this.#pieces.push(piece);
  }
}
