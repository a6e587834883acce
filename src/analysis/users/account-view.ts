import { type Static, Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { alsoIn } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SortClause } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { valuesAt } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { analysisTypesOf, effectiveRoles } from '../../identity/accounts/effective-roles.ts';
import { NO_PASSWORD } from '../../identity/passwords/passwords.ts';
import { converted, integer, text } from '../../input/input-kinds.ts';

const ACCESS = unrestricted('administrators see every account');
const SORT = /^(?<field>\S+)(?: (?<order>asc|desc))?$/i;
const MAX_NUMBER = 999_999_999;

interface AccountViewOptions {
  readonly quotas: Config['analysis']['ui']['default_quotas'];
  readonly classification: ClassificationEngine;
  /** Shows the identifier at the identity provider. */
  readonly withIdentity: boolean;
  /** The picture, or null for none; undefined if it was not requested. */
  readonly avatar?: string | null | undefined;
}

/** Returns an account without secrets (contract/analysis.md section 2.4). */
export function accountView(user: User, options: AccountViewOptions): Readonly<Record<string, unknown>> {
  const { quotas, classification, withIdentity, avatar } = options;
  const tokens = Object.keys(user.security_tokens ?? {});
  return {
    '2fa_enabled': Boolean(user.otp_sk),
    agrees_with_tos: user.agrees_with_tos ?? null,
    api_daily_quota: user.api_daily_quota ?? quotas.daily_api_calls,
    api_quota: user.api_quota ?? quotas.concurrent_api_calls,
    apps: user.apps ?? {},
    can_impersonate: user.can_impersonate ?? false,
    classification: shownClassification(classification, user),
    dn: user.dn ?? null,
    email: user.email ?? null,
    groups: user.groups.map((group) => group.toUpperCase()),
    has_password: user.password !== '' && user.password !== NO_PASSWORD,
    ...(withIdentity ? { identity_id: user.identity_id ?? null } : {}),
    is_active: user.is_active,
    name: user.name,
    organization: user.organization ?? null,
    roles: effectiveRoles(user),
    security_token_enabled: tokens.length > 0,
    security_tokens: tokens,
    submission_async_quota: user.submission_async_quota ?? quotas.concurrent_async_submissions,
    submission_daily_quota: user.submission_daily_quota ?? quotas.daily_submissions,
    submission_quota: user.submission_quota ?? quotas.concurrent_submissions,
    type: analysisTypesOf(user),
    uname: user.uname,
    ...(avatar === undefined ? {} : { avatar }),
  };
}

/** Returns an account as searches show it: without secrets, with the roles that were chosen for it. */
export function searchedAccount(
  user: User,
  options: Pick<AccountViewOptions, 'quotas' | 'classification'>,
): Readonly<Record<string, unknown>> {
  const { apps: _apps, security_tokens: _tokens, ...account } = accountView(user, { ...options, withIdentity: true });
  return { ...account, roles: user.roles ?? [] };
}

/** Returns the classification of a user, as it is stored if the definition no longer has it. */
function shownClassification(engine: ClassificationEngine, user: Pick<User, 'classification'>): string {
  try {
    return engine.normalise(user.classification, { skipAutoSelect: true });
  } catch {
    return user.classification;
  }
}

export const UserListQuery = Type.Object({
  query: text({ description: 'Lucene query of the accounts.', default: '*' }),
  offset: integer({ minimum: 0, maximum: MAX_NUMBER, default: 0 }),
  rows: integer({ minimum: 0, maximum: MAX_NUMBER, default: 100 }),
  sort: Type.Optional(
    converted(text({ description: '`<field> asc|desc`. Default: by the name to sign in with.' }), readSort),
  ),
  fl: Type.Optional(text({ description: 'Accepted without effect.' })),
});

/** Members of an account that a list of accounts shows, too. */
const LISTED = 'classification email groups is_active name organization type uname';

/** Returns a page of the accounts that a query finds. @throws InvalidInput `invalid_query` */
export async function listUsers(
  users: Collection<User>,
  options: Pick<AccountViewOptions, 'quotas' | 'classification'>,
  { query: lucene, offset, rows, sort }: Static<typeof UserListQuery>,
) {
  // Types that only this service knows are stored apart; here they are one field.
  const query = alsoIn(compileQuery(lucene, userDocument), 'type', 'analysis_types');
  const found = await users.search({ query, offset, rows, ...(sort ? { sort: [sort] } : {}) }, ACCESS);
  return {
    items: found.items.map(({ document: user }) => {
      const view = accountView(user, { ...options, withIdentity: false });
      return { ...valuesAt(view, LISTED), id: user.uname, roles: user.roles ?? [] };
    }),
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
