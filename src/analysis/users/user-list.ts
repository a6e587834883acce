import { type Static, Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { alsoIn } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SortClause } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { converted, integer, text } from '../../input/input-kinds.ts';
import { accountSummary } from './account-view.ts';

/** A page of accounts. */
export interface UserPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly offset: number;
  readonly rows: number;
  readonly total: number;
}

const ACCESS = unrestricted('administrators see every account');
const SORT = /^(?<field>\S+)(?: (?<order>asc|desc))?$/i;
const MAX_NUMBER = 999_999_999;

export const UserListQuery = Type.Object({
  query: text({ description: 'Lucene query of the accounts.', default: '*' }),
  offset: integer({ minimum: 0, maximum: MAX_NUMBER, default: 0 }),
  rows: integer({ minimum: 0, maximum: MAX_NUMBER, default: 100 }),
  sort: Type.Optional(
    converted(text({ description: '`<field> asc|desc`. Default: by the name to sign in with.' }), readSort),
  ),
  fl: Type.Optional(text({ description: 'Accepted without effect.' })),
});

/**
 * A page of the accounts that a query finds.
 * @throws InvalidInput `invalid_query`
 */
export async function listUsers(
  users: Collection<User>,
  classification: ClassificationEngine,
  { query: lucene, offset, rows, sort }: Static<typeof UserListQuery>,
): Promise<UserPage> {
  // Kinds that only this service knows are kept apart; here they are all one field.
  const query = alsoIn(compileQuery(lucene, userDocument), 'type', 'analysis_types');
  const found = await users.search({ query, offset, rows, ...(sort ? { sort: [sort] } : {}) }, ACCESS);
  return {
    items: found.items.map(({ document }) => accountSummary(document, classification)),
    offset,
    rows,
    total: found.total,
  };
}

/** @throws InvalidInput `invalid_argument` */
function readSort(given: string): SortClause {
  const { field, order } = SORT.exec(given.trim())?.groups ?? {};
  if (field === undefined || userDocument.fieldByPath.get(field)?.indexed !== true) {
    throw new InvalidInput('invalid_argument', `Cannot sort by ${JSON.stringify(given)}: write \`name asc\`.`, {
      at: 'sort',
    });
  }
  return { field, order: order?.toLowerCase() === 'desc' ? 'desc' : 'asc' };
}
