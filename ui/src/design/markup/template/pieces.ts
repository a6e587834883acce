/** An element that the page draws in the place of a helper. */
export type Widget =
  | { readonly kind: 'json'; readonly data: unknown }
  | { readonly kind: 'table'; readonly cells: readonly WidgetCell[]; readonly actionType?: string }
  | { readonly kind: 'alert'; readonly id: string }
  | {
      readonly kind: 'action';
      readonly action: string;
      readonly alert: string;
      readonly options: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'lookup'; readonly type: string; readonly value: string }
  | { readonly kind: 'lookups'; readonly type: string; readonly values: readonly string[] }
  | { readonly kind: 'fetcher'; readonly fetcher: string; readonly type: string; readonly value: string };

export interface WidgetCell {
  readonly column: string;
  readonly row: string;
  readonly value: string;
  /** Type of the indicator to look up, where there is one. */
  readonly type?: string;
  readonly fetcher?: string;
}

/** A value of the record or a widget, in the place of its mark in the output. */
export type Piece =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'widget'; readonly widget: Widget };

/**
 * Marks stand for pieces while the output is markdown: no value can then end a code span, open a link
 * or add a row. They are built of private characters that are taken out of templates and values.
 */
const OPEN = '\uf8d0';
const CLOSE = '\uf8d1';
const PRIVATE = /[\uf8d0\uf8d1]/g;

export const PIECE_MARK = /\uf8d0(\d+)\uf8d1/g;

export function pieceMark(index: number): string {
  return `${OPEN}${index}${CLOSE}`;
}

export function withoutMarks(text: string): string {
  return text.replaceAll(PRIVATE, '\ufffd');
}

/** Returns a string with the values of its marks in their places, for addresses and titles. */
export function withValues(text: string, pieces: readonly Piece[], encode: (value: string) => string): string {
  return text.replaceAll(PIECE_MARK, (_mark, index) => {
    const piece = pieces[Number(index)];
    return piece?.kind === 'value' ? encode(piece.text) : '';
  });
}
