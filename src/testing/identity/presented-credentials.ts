import type { PresentedCredentials } from '../../identity/authenticator.ts';

/** The headers that identify callers, by the names that tests give them. */
const HEADERS = {
  authorization: 'authorization',
  impersonating: 'x-impersonating',
  user: 'x-user',
  apikey: 'x-apikey',
  tokenProvider: 'x-token-provider',
  xsrfToken: 'x-xsrf-token',
  userId: 'x-userid',
  classification: 'x-classification',
  name: 'x-username',
  email: 'x-email',
} as const;

/** A request for tests: its headers, its session and its origin. */
export type TestRequest = Partial<Record<keyof typeof HEADERS, string | undefined>> & {
  readonly session?: string | undefined;
} & Partial<Omit<PresentedCredentials, 'header' | 'singleHeader' | 'argument' | 'isEncrypted'>>;

/** For tests: what a request presents, from `192.0.2.1` unless it says otherwise. */
export function presented(request: TestRequest): PresentedCredentials {
  const { address = '192.0.2.1', userAgent, requestId, call, session } = request;
  const { allowInactive = false, checkXsrf = true } = request;
  const header = (wanted: string) => {
    if (wanted === 'cookie') return session === undefined ? undefined : `session=${session}`;
    const found = Object.entries(HEADERS).find(([, name]) => name === wanted);
    return found && request[found[0] as keyof typeof HEADERS];
  };
  return {
    ...{ address, userAgent, requestId, call, allowInactive, checkXsrf },
    header,
    singleHeader: header,
    argument: () => undefined,
    isEncrypted: () => false,
  };
}
