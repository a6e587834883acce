import type { Collection } from '../../datastore/port/collection.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { MAX_RESULT_WINDOW, type SortClause } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type ErrorRecord, errorDocument } from '../../documents/kinds/analysis/error.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { errorView } from './document-views.ts';

export interface ErrorListRequest {
  readonly query: string;
  readonly filters: readonly string[];
  readonly offset: number;
  readonly rows: number;
  /** `created desc`, several separated by commas. */
  readonly sort: string;
  /** Counts all matches instead of the first 10,000. */
  readonly countsAll: boolean;
}

const ADMINISTRATORS = unrestricted('administrators see the errors of all services');

/** Lists errors of services for administrators. @throws InvalidInput `invalid_query`, `invalid_sort` */
export async function listErrors(errors: Pick<Collection<ErrorRecord>, 'search'>, request: ErrorListRequest) {
  const { offset, rows, countsAll } = request;
  const query = compiled(request.query);
  const filters = request.filters.map(compiled);
  const sort = sortOf(request.sort);
  const found = await errors.search({ query, filters, offset, rows, sort }, ADMINISTRATORS);
  return {
    items: found.items.map(({ id, document }) => {
      const { expiry_ts: _expiry, ...shown } = errorView(document);
      return { ...shown, id };
    }),
    offset,
    rows,
    total: countsAll ? found.total : Math.min(found.total, MAX_RESULT_WINDOW),
  };
}

function compiled(text: string): QueryNode {
  try {
    return compileQuery(text, errorDocument);
  } catch (error) {
    if (!isTriadError(error)) throw error;
    const message = `The specified search query is not valid. (${error.message})`;
    throw new InvalidInput(error.code, message, { at: error.at, cause: error });
  }
}

function sortOf(text: string): readonly SortClause[] {
  return text.split(',').map((clause) => {
    const [, field, order = 'asc'] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/i.exec(clause) ?? [];
    if (field === undefined || !errorDocument.fieldByPath.has(field)) {
      throw new InvalidInput(
        'invalid_sort',
        `The specified search query is not valid. (Unknown sort parameter ${clause.trim()})`,
        {
          at: 'sort',
        },
      );
    }
    return { field, order: order.toLowerCase() === 'desc' ? 'desc' : 'asc' };
  });
}
