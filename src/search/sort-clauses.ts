import type { SortClause } from '../datastore/port/search.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../documents/schema/field-types.ts';
import { InvalidInput } from '../errors/errors.ts';
import { withoutSecretFields } from './field-selection.ts';

/** Clauses of one sort. */
export const MAX_SORT_CLAUSES = 32;

/** Reads `event.created desc,howler.score asc`; `_id` is the identifier. @throws `invalid_sort` */
export function readSort(
  text: string | undefined,
  options: { /** Order of a clause that names none. Default: it is refused. */ readonly defaultOrder?: 'asc' } = {},
): readonly SortClause[] | undefined {
  if (text === undefined) return undefined;
  const clauses: SortClause[] = [];
  for (const part of text.split(',')) {
    const clause = part.trim();
    if (clause === '') continue;
    const [field = '', order = options.defaultOrder, ...rest] = clause.split(/\s+/);
    if ((order !== 'asc' && order !== 'desc') || rest.length > 0) {
      throw new InvalidInput('invalid_sort', `Unknown sort parameter ${clause}`, { at: 'sort' });
    }
    clauses.push({ field: field === '_id' ? ID_FIELD : field, order });
  }
  if (clauses.length > MAX_SORT_CLAUSES) {
    const message = `The sort has ${clauses.length} clauses; at most ${MAX_SORT_CLAUSES} are allowed.`;
    throw new InvalidInput('invalid_sort', message, { at: 'sort' });
  }
  return clauses.length === 0 ? undefined : clauses;
}

/** @throws InvalidInput `unknown_sort_field`, when none of the kinds has the field */
export function checkSortFields(
  definitions: readonly CollectionDefinition<unknown>[],
  sort: readonly SortClause[] | undefined,
): void {
  for (const { field } of sort ?? []) {
    if (definitions.some((definition) => withoutSecretFields(definition).fieldByPath.has(field))) continue;
    const names = definitions.map((definition) => definition.name).join(', ');
    throw new InvalidInput('unknown_sort_field', `No field [${field}] in ${names} to sort on.`, { at: 'sort' });
  }
}
