/** A query text as written: before fields are looked up and values are read. */

export interface SyntaxBound {
  readonly text: string;
  readonly inclusive: boolean;
}

interface Placed {
  /** Start offset in the query, in UTF-16 units from 0. */
  readonly at: number;
}

interface Fielded extends Placed {
  /** End offset of the clause with its boost, without its field. */
  readonly end: number;
  /** The unescaped text before the colon, which may be a pattern. Undefined: the default field. */
  readonly field: string | undefined;
}

export type SyntaxNode =
  | GroupSyntax
  /** Bare words, which are one text however many there are: `severity:open`, `quick brown fox`. */
  | (Fielded & { readonly kind: 'words'; readonly text: string; readonly severalWords: boolean })
  | (Fielded & { readonly kind: 'phrase'; readonly text: string; readonly slop: number })
  | (Fielded & {
      readonly kind: 'range';
      readonly lower?: SyntaxBound | undefined;
      readonly upper?: SyntaxBound | undefined;
    })
  /** `field:*` */
  | (Fielded & { readonly kind: 'any_value' })
  | (Fielded & { readonly kind: 'prefix'; readonly text: string })
  /** `pattern` keeps its escapes, because `\*` is not `*`. */
  | (Fielded & { readonly kind: 'wildcard'; readonly pattern: string })
  | (Fielded & { readonly kind: 'regexp'; readonly pattern: string })
  | (Fielded & { readonly kind: 'fuzzy'; readonly text: string; readonly maxEdits: 0 | 1 | 2 });

export type LeafSyntax = Exclude<SyntaxNode, GroupSyntax>;

export interface ClauseSyntax {
  /** The preceding conjunction. */
  readonly conjunction: 'none' | 'and' | 'or';
  readonly modifier: 'none' | 'required' | 'prohibited';
  readonly node: SyntaxNode;
}

export interface GroupSyntax extends Placed {
  readonly kind: 'group';
  readonly clauses: readonly ClauseSyntax[];
}
