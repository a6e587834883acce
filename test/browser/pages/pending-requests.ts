import type { BrowserContext, Request } from 'playwright-core';

const PENDING = new WeakMap<BrowserContext, Set<Request>>();

/** Counts the requests of a context from now on, for `pendingRequests`. A second call changes nothing. */
export function countRequests(context: BrowserContext): void {
  if (PENDING.has(context)) return;
  const requests = new Set<Request>();
  PENDING.set(context, requests);
  // The end of a request that outlives its page (`keepalive`) is not reported.
  const outlives = (request: Request) => request.url().endsWith('/session/preferences');
  context.on('request', (request) => {
    // Neither is that of requests of a page that was left.
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) requests.clear();
    if (!outlives(request)) requests.add(request);
  });
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
}

/** Returns the requests of a context that are not answered yet. */
export function pendingRequests(context: BrowserContext): ReadonlySet<Request> {
  return PENDING.get(context) ?? new Set();
}
