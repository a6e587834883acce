import type { FlatField, SearchKind } from '../../documents/schema/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { MAX_RESULT_WINDOW } from './search.ts';

const GROUPED: ReadonlySet<SearchKind> = new Set(['keyword', 'lowercase_keyword', 'integer', 'long', 'float']);

const REASONS = {
  kind: 'Only keywords and numbers can be grouped by.',
  missing: 'The collection does not have it.',
  list: 'A document found has several values there.',
} as const;

/** Returns the refusal to group by a field, in the same words on every adapter. */
export function ungroupable(path: string, reason: keyof typeof REASONS): InvalidInput {
  const message = `Documents cannot be grouped by ${path}. ${REASONS[reason]}`;
  return new InvalidInput('group_field_unsupported', message, { at: path });
}

/** Throws `group_field_unsupported` for text, dates and other kinds. */
export function rejectUngroupableKind(path: string, field: FlatField | undefined): void {
  if (field && !GROUPED.has(field.searchKind)) throw ungroupable(path, 'kind');
}

/** Returns how many documents each group may show in a result window; large groups give way, one stays. */
export function documentsPerGroup(totals: readonly number[], limit: number): number {
  const shown = (size: number): number => totals.reduce((sum, total) => sum + Math.min(total, size), 0);
  let fits = Math.min(limit, 1);
  let above = limit + 1;
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2);
    if (shown(middle) <= MAX_RESULT_WINDOW) fits = middle;
    else above = middle;
  }
  return fits;
}
