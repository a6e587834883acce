const cookies = new WeakMap<object, string>();

/**
 * Hands the cookie of a web session to the service that gets the request in this process.
 * Only code of this process reaches the map, so no header of a caller stands for such a session.
 * @param request the raw request, as the listener received it
 */
export function handCookie(request: object, cookie: string): void {
  cookies.set(request, cookie);
}

/** Returns the cookie that the web listener handed over with the request, if any. */
export function handedCookie(request: object): string | undefined {
  return cookies.get(request);
}
