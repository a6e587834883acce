import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { alsoIn } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SortClause } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { accountSummary } from './account-view.ts';

/** A page of accounts. */
export interface UserPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly offset: number;
  readonly rows: number;
  readonly total: number;
}

const ACCESS = unrestricted('administrators see every account');
const USUAL_ROWS = 100;
const WHOLE_NUMBER = /^\d{1,9}$/;
const SORT = /^(?<field>\S+)(?: (?<order>asc|desc))?$/i;

/**
 * A page of the accounts that a query finds; `fl` is accepted and changes nothing.
 * @param args of the address: `query` (default all), `offset` (0), `rows` (100), `sort` (`name asc`; default by name to sign in with)
 * @throws InvalidInput `invalid_query`, `invalid_argument`
 */
export async function listUsers(
  users: Collection<User>,
  classification: ClassificationEngine,
  args: Readonly<Record<string, unknown>>,
): Promise<UserPage> {
  const offset = readNumber(args, 'offset', 0);
  const rows = readNumber(args, 'rows', USUAL_ROWS);
  const text = typeof args.query === 'string' && args.query !== '' ? args.query : '*';
  const sort = readSort(args.sort);
  // Kinds that only this service knows are kept apart; here they are all one field.
  const query = alsoIn(compileQuery(text, userDocument), 'type', 'analysis_types');
  const found = await users.search({ query, offset, rows, ...(sort ? { sort: [sort] } : {}) }, ACCESS);
  return {
    items: found.items.map(({ document }) => accountSummary(document, classification)),
    offset,
    rows,
    total: found.total,
  };
}

function readNumber(args: Readonly<Record<string, unknown>>, name: string, usual: number): number {
  const given = args[name];
  if (given === undefined || given === '') return usual;
  if (typeof given === 'string' && WHOLE_NUMBER.test(given)) return Number(given);
  throw new InvalidInput('invalid_argument', `${name} must be a whole number, not ${JSON.stringify(given)}.`, {
    at: name,
  });
}

function readSort(given: unknown): SortClause | undefined {
  if (given === undefined || given === '') return undefined;
  const { field, order } = (typeof given === 'string' ? SORT.exec(given.trim())?.groups : undefined) ?? {};
  if (field === undefined || userDocument.fieldByPath.get(field)?.indexed !== true) {
    throw new InvalidInput('invalid_argument', `Cannot sort by ${JSON.stringify(given)}: write \`name asc\`.`, {
      at: 'sort',
    });
  }
  return { field, order: order?.toLowerCase() === 'desc' ? 'desc' : 'asc' };
}
