import type { PresentedCredentials } from '../../identity/authenticator.ts';

/** The headers that identify callers, by the names that tests give them. */
const HEADERS = {
  authorization: 'authorization',
  impersonating: 'x-impersonating',
  userId: 'x-userid',
  classification: 'x-classification',
  name: 'x-username',
  email: 'x-email',
} as const;

/** A request for tests: its headers and its origin. */
export type TestRequest = Partial<Record<keyof typeof HEADERS, string | undefined>> &
  Partial<Omit<PresentedCredentials, 'header' | 'singleHeader'>>;

/** For tests: what a request presents, from `192.0.2.1` unless it says otherwise. */
export function presented(request: TestRequest): PresentedCredentials {
  const { address = '192.0.2.1', userAgent, requestId, call, allowInactive = false } = request;
  const header = (wanted: string) => {
    const found = Object.entries(HEADERS).find(([, name]) => name === wanted);
    return found && request[found[0] as keyof typeof HEADERS];
  };
  return { header, singleHeader: header, address, userAgent, requestId, call, allowInactive };
}
