import type { ListedRoute } from '../route-list.ts';

/** The statuses of refusals, and what each means. */
export const REFUSALS = {
  400: 'The request is not valid. The message names the argument and what is allowed.',
  401: 'The credential is missing, wrong or expired.',
  403: 'The caller lacks the privilege, the user type or the classification.',
  404: 'There is no such record, or the caller may not see it.',
  409: 'The change conflicts with the stored state, for example with a newer version.',
  412: 'The user name cannot be used.',
  413: 'The body, or a document in it, is too large.',
  414: 'A segment of the path is too long.',
  415: 'The body is not `application/json`.',
  429: 'Too many requests. `Retry-After` says when to repeat the request.',
  469: 'The password does not meet the requirements.',
  500: 'A fault of the server. The message has an identifier that the log has, too.',
  501: 'The engine of this installation does not support it.',
  503: 'An engine is unavailable. `Retry-After` says when to repeat the request.',
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** Statuses of every route: unreadable paths, faults, engines that are unavailable. */
const ANY_ROUTE: readonly RefusalStatus[] = [400, 500, 503];

/** Returns the statuses of the refusals of a route, ascending: those that follow from it, and its own. */
export function refusalStatuses({ method, access, body, url, schema }: ListedRoute): readonly RefusalStatus[] {
  const statuses = new Set([...ANY_ROUTE, ...(schema.refusals ?? [])]);
  const add = (...more: readonly RefusalStatus[]) => more.forEach((status) => statuses.add(status));
  if (access !== 'public') add(401, 403, 429);
  if (url.includes(':') || url.endsWith('*')) add(404, 414);
  if (body !== 'ignored') add(413);
  // Routes that change records, which others may have changed in the meantime.
  if (method !== 'GET' && (method !== 'POST' || hasRefresh(schema.querystring))) add(409);
  if (body === 'json') add(415);
  return [...statuses].sort((left, right) => left - right);
}

function hasRefresh(querystring: unknown): boolean {
  return Object.hasOwn((querystring as { readonly properties?: object } | undefined)?.properties ?? {}, 'refresh');
}
