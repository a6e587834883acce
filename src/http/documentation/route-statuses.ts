import type { RefusalStatus } from '../answers/documented-refusals.ts';
import type { ListedRoute } from '../route-list.ts';

/** Statuses of every route: unreadable paths, faults, engines that are unavailable. */
const ANY_ROUTE: readonly RefusalStatus[] = [400, 500, 503];

/** Returns the statuses of the refusals of a route, ascending: those that follow from it, and its own. */
export function refusalStatuses({ method, access, body, url, schema }: ListedRoute): readonly RefusalStatus[] {
  const statuses = new Set([...ANY_ROUTE, ...(schema.refusals ?? [])]);
  const add = (...more: readonly RefusalStatus[]) => {
    for (const status of more) statuses.add(status);
  };
  if (access !== 'public') add(401, 403, 429);
  if (url.includes(':') || url.endsWith('*')) add(404, 414);
  if (body !== 'ignored') add(413);
  // Routes that change records, which others may have changed in the meantime.
  if (method !== 'GET' && (method !== 'POST' || hasRefresh(schema.querystring))) add(409);
  if (body === 'json' || body === 'binary_json' || body === 'json_or_form') add(415);
  return [...statuses].sort((left, right) => left - right);
}

function hasRefresh(querystring: unknown): boolean {
  return Object.hasOwn((querystring as { readonly properties?: object } | undefined)?.properties ?? {}, 'refresh');
}
