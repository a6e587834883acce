import { parse } from '@handlebars/parser';
import { LimitReached, type TemplateLimits } from './budget.ts';

export interface PathNode {
  readonly type: 'PathExpression';
  readonly data: boolean;
  readonly depth: number;
  readonly parts: readonly (string | CallNode)[];
  readonly original: string;
}

export interface CallNode {
  readonly type: 'SubExpression';
  readonly path: ExpressionNode;
  readonly params: readonly ExpressionNode[];
  readonly hash?: HashNode | undefined;
}

export interface HashNode {
  readonly pairs: readonly { readonly key: string; readonly value: ExpressionNode }[];
}

export type ExpressionNode =
  | PathNode
  | CallNode
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'NumberLiteral'; readonly value: number }
  | { readonly type: 'BooleanLiteral'; readonly value: boolean }
  | { readonly type: 'UndefinedLiteral' | 'NullLiteral' };

export interface MustacheNode {
  readonly type: 'MustacheStatement';
  readonly path: ExpressionNode;
  readonly params: readonly ExpressionNode[];
  readonly hash?: HashNode | undefined;
  /** False for `{{{raw}}}`. */
  readonly escaped: boolean;
}

export interface BlockNode {
  readonly type: 'BlockStatement';
  readonly path: ExpressionNode;
  readonly params: readonly ExpressionNode[];
  readonly hash?: HashNode | undefined;
  readonly program?: ProgramNode | undefined;
  readonly inverse?: ProgramNode | undefined;
}

export type StatementNode =
  | MustacheNode
  | BlockNode
  | { readonly type: 'ContentStatement'; readonly value: string }
  | { readonly type: 'CommentStatement' }
  | { readonly type: 'PartialStatement' | 'PartialBlockStatement' | 'Decorator' | 'DecoratorBlock' };

export interface ProgramNode {
  readonly body: readonly StatementNode[];
  readonly blockParams: readonly string[];
}

/** One overview is evaluated on alert after alert. */
const parsed = new Map<string, ProgramNode>();
const MAX_PARSED = 16;

/**
 * Returns the syntax tree of a template.
 * @throws LimitReached for a template that would take long to parse
 * @throws Error of the parser, with the line and a pointer to the place
 */
export function parseTemplate(template: string, limits: TemplateLimits): ProgramNode {
  const known = parsed.get(template);
  if (known !== undefined) return known;
  assertParsable(template, limits);
  // The types of the parser leave the kinds of statements and expressions open; this is what it makes.
  const program: unknown = parse(template);
  if (!isProgram(program)) throw new Error('The template could not be read.');
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(template, program);
  return program;
}

function assertParsable(template: string, limits: TemplateLimits): void {
  if (template.length > limits.maxTemplate) throw new LimitReached('template');
  const [, ...tags] = template.split('{{');
  let length = 0;
  let count = tags.length;
  for (const tag of tags) {
    const end = tag.indexOf('}}');
    const inner = end === -1 ? tag : tag.slice(0, end);
    length += inner.length;
    count += inner.split('(').length - 1;
  }
  if (count > limits.maxTags || length > limits.maxTagText) throw new LimitReached('template');
}

function isProgram(value: unknown): value is ProgramNode {
  return typeof value === 'object' && value !== null && 'body' in value && Array.isArray(value.body);
}
