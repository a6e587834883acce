import type { LimitName, TemplateLimits } from './budget.ts';
import type { HelperNeed } from './helpers.ts';
import type { Piece } from './pieces.ts';

export type TemplateProblem =
  | { readonly kind: 'syntax'; readonly detail: string }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'missing-helper'; readonly name: string }
  | { readonly kind: 'misuse'; readonly name: string; readonly need: HelperNeed; readonly usage: string }
  | { readonly kind: 'unsupported'; readonly name: string };

export interface TemplateResult {
  /** Markdown with marks in the places of values and widgets. */
  readonly markdown: string;
  readonly pieces: readonly Piece[];
  /** Each once, in the order in which they were met. */
  readonly problems: readonly TemplateProblem[];
  /** Addresses whose answers the `fetch` helper lacks: ask for them, and evaluate again. */
  readonly wanted: readonly string[];
}

export interface TemplateOptions {
  readonly limits?: Partial<TemplateLimits>;
  /** Answers to the addresses that an earlier result wanted; null for one that failed. */
  readonly answers?: ReadonlyMap<string, unknown>;
}
