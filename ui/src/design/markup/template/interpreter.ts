import { memberOf } from '../../../json/members.ts';
import { Budget, LimitReached, TEMPLATE_LIMITS } from './budget.ts';
import { type Frame, itemFrames, rootFrame, startOf, valueAt, valueFrame } from './frame.ts';
import { type Helper, HelperMisuse, helperOf, Markup, WidgetResult } from './helpers.ts';
import {
  type BlockNode,
  type ExpressionNode,
  type HashNode,
  type PathNode,
  type ProgramNode,
  parseTemplate,
  type StatementNode,
} from './nodes.ts';
import { TemplateOutput } from './output.ts';
import { withoutMarks } from './pieces.ts';
import { isEmpty, textOf } from './printed-values.ts';
import type { TemplateOptions, TemplateResult } from './result.ts';

const FETCH_USAGE = helperOf('fetch')?.usage ?? '';

/**
 * Evaluates a Handlebars template on a record by walking its syntax tree: nothing is compiled.
 * Templates and records come from anyone; a limit cuts the work and is named among the problems. The
 * result is the same for the same input.
 */
export function evaluateTemplate(template: string, record: unknown, options: TemplateOptions = {}): TemplateResult {
  const limits = { ...TEMPLATE_LIMITS, ...options.limits };
  const run = new Evaluation(new Budget(limits), options.answers ?? new Map());
  run.start(template, record);
  return run.result();
}

class Evaluation {
  readonly #budget: Budget;
  readonly #answers: ReadonlyMap<string, unknown>;
  readonly #output: TemplateOutput;
  readonly #wanted = new Set<string>();

  constructor(budget: Budget, answers: ReadonlyMap<string, unknown>) {
    this.#budget = budget;
    this.#output = new TemplateOutput(budget);
    this.#answers = answers;
  }

  result(): TemplateResult {
    return this.#output.result(this.#wanted);
  }

  start(template: string, record: unknown): void {
    try {
      const program = parseTemplate(withoutMarks(template), this.#budget.limits);
      this.#program(program, rootFrame(record));
    } catch (error) {
      if (error instanceof LimitReached) this.#output.problem({ kind: 'limit', limit: error.limit });
      else if (error instanceof RangeError) this.#output.problem({ kind: 'limit', limit: 'depth' });
      else this.#output.problem({ kind: 'syntax', detail: error instanceof Error ? error.message : String(error) });
    }
  }

  #program(program: ProgramNode | undefined, frame: Frame): void {
    if (program === undefined || program === null) return;
    this.#budget.within(() => {
      for (const statement of program.body) this.#statement(statement, frame);
    });
  }

  #statement(node: StatementNode, frame: Frame): void {
    this.#budget.step();
    switch (node.type) {
      case 'ContentStatement':
        this.#output.write(node.value);
        break;
      case 'CommentStatement':
        break;
      case 'MustacheStatement':
        this.#output.print(this.#call(node, frame), node.escaped);
        break;
      case 'BlockStatement':
        this.#block(node, frame);
        break;
      default:
        this.#output.problem({ kind: 'unsupported', name: node.type });
    }
  }

  /**
   * Evaluates `{{name}}`, `{{helper a b}}` and `(helper a b)`: a helper comes before a field of its
   * name.
   */
  #call(
    node: {
      readonly path: ExpressionNode;
      readonly params: readonly ExpressionNode[];
      readonly hash?: HashNode | undefined;
    },
    frame: Frame,
  ): unknown {
    this.#budget.step();
    const { path } = node;
    if (path.type !== 'PathExpression') return this.#expression(path, frame);
    const name = path.original;
    const isSimple = !path.data && path.depth === 0 && path.parts.length === 1 && typeof path.parts[0] === 'string';
    const isThis = /^(?:this\b|\.)/.test(name);
    const builtin = isSimple && !isThis ? this.#builtin(name, node.params, frame) : undefined;
    if (builtin !== undefined) return builtin.value;
    const helper = isSimple && !isThis ? helperOf(name) : undefined;
    const hasArguments = node.params.length > 0 || (node.hash?.pairs.length ?? 0) > 0;
    if (helper !== undefined) {
      // A field called `action` or `table` is meant where the helper would have nothing to work on.
      const field = hasArguments ? undefined : this.#path(path, frame);
      return field === undefined ? this.#help(name, helper, node, frame) : field;
    }
    if (hasArguments) {
      this.#output.problem({ kind: 'missing-helper', name: name.slice(0, 80) });
      return undefined;
    }
    return this.#path(path, frame);
  }

  #help(
    name: string,
    helper: Helper,
    node: { readonly params: readonly ExpressionNode[]; readonly hash?: HashNode | undefined },
    frame: Frame,
  ): unknown {
    const args = node.params.map((param) => this.#expression(param, frame));
    const hash = Object.fromEntries(
      (node.hash?.pairs ?? []).map(({ key, value }) => [key, this.#expression(value, frame)]),
    );
    // The work of a helper grows with what it reads.
    for (const value of args) this.#budget.step(sizeOf(value));
    const limits = this.#budget.limits;
    try {
      const result = helper.run({ args, hash, limits, fetched: (address) => this.#fetched(address) });
      this.#budget.look();
      // Strings that double in a row of blocks would fill the memory before they are written.
      if (typeof result === 'string' && result.length > limits.maxOutput) throw new LimitReached('output');
      return result;
    } catch (error) {
      if (!(error instanceof HelperMisuse)) throw error;
      this.#output.problem({ kind: 'misuse', name, need: error.need, usage: helper.usage });
      return undefined;
    }
  }

  #fetched(address: string): unknown {
    if (this.#answers.has(address)) return this.#answers.get(address);
    const known = this.#answers.size + this.#wanted.size;
    if (known < this.#budget.limits.maxRequests) this.#wanted.add(address);
    else this.#output.problem({ kind: 'misuse', name: 'fetch', need: 'fewer-addresses', usage: FETCH_USAGE });
    return undefined;
  }

  #builtin(name: string, params: readonly ExpressionNode[], frame: Frame): { readonly value: unknown } | undefined {
    const [first, second] = params;
    if (name === 'log') return { value: undefined };
    if (name !== 'lookup' || first === undefined || second === undefined) return undefined;
    return { value: memberOf(this.#expression(first, frame), textOf(this.#expression(second, frame))) };
  }

  #expression(node: ExpressionNode, frame: Frame): unknown {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumberLiteral':
      case 'BooleanLiteral':
        return node.value;
      case 'UndefinedLiteral':
        return undefined;
      case 'NullLiteral':
        return null;
      case 'PathExpression':
        return this.#path(node, frame);
      default:
        return this.#budget.within(() => this.#call(node, frame));
    }
  }

  #path(node: PathNode, frame: Frame): unknown {
    this.#budget.step();
    const from = startOf(node, frame);
    if (from === undefined) return undefined;
    const parts = node.parts.map((part) => (typeof part === 'string' ? part : textOf(this.#expression(part, frame))));
    return valueAt(node, parts, frame, from);
  }

  #block(node: BlockNode, frame: Frame): void {
    const name = node.path.type === 'PathExpression' ? node.path.original : '';
    const [param] = node.params;
    const value = param === undefined ? undefined : this.#expression(param, frame);
    const option = (key: string) => {
      const pair = node.hash?.pairs.find((candidate) => candidate.key === key);
      return pair === undefined ? undefined : this.#expression(pair.value, frame);
    };
    const isNo = () => isEmpty(value) && !(value === 0 && option('includeZero'));
    if (name === 'if') this.#program(isNo() ? node.inverse : node.program, frame);
    else if (name === 'unless') this.#program(isNo() ? node.program : node.inverse, frame);
    else if (name === 'each') this.#each(value, node, frame);
    else if (name !== 'with') this.#blockOf(this.#call(node, frame), node, frame);
    else if (isEmpty(value)) this.#program(node.inverse, frame);
    else this.#with(value, node, frame);
  }

  /** `{{#field}}` repeats a list, enters an object, and shows its body for what is true. */
  #blockOf(result: unknown, node: BlockNode, frame: Frame): void {
    if (Array.isArray(result)) this.#each(result, node, frame);
    else if (result === undefined || result === null || result === false) this.#program(node.inverse, frame);
    else if (result instanceof WidgetResult || result instanceof Markup || result === true) {
      this.#program(node.program, frame);
    } else this.#with(result, node, frame);
  }

  #with(context: unknown, node: BlockNode, frame: Frame): void {
    this.#program(node.program, valueFrame(context, node.program?.blockParams ?? [], frame));
  }

  #each(value: unknown, node: BlockNode, frame: Frame): void {
    let isRepeated = false;
    for (const item of itemFrames(value, node.program?.blockParams ?? [], frame)) {
      isRepeated = true;
      this.#budget.step();
      this.#program(node.program, item);
    }
    if (!isRepeated) this.#program(node.inverse, frame);
  }
}

/** Returns about how many steps it takes to read a value, without reading it whole. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 1_000);
  if (Array.isArray(value)) return Math.ceil(value.length / 10);
  return 1;
}
