import { connection, noAnswer, send } from './connection.ts';
import type { components } from './generated/web.ts';
import { problemOf } from './problem.ts';

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
/** The session of this browser, and the ways to sign in. */
export type SessionState = Schemas['SessionState'];
export type SignInOptions = SessionState['sign_in'];
export type SignIn = Schemas['SignIn'];

const ADDRESS = '/session';

export async function readSession(signal?: AbortSignal): Promise<SessionState> {
  const response = await send(new Request(ADDRESS, signal === undefined ? {} : { signal }));
  return response.json() as Promise<SessionState>;
}

/** Opens a session. @throws ApiProblem with the reason of a refusal; a 401 does not ask for a sign-in */
export async function openSession(signIn: SignIn): Promise<SessionState> {
  const response = await fetch(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signIn),
  }).catch((cause: unknown) => {
    void connection.whenAnswering(location.origin);
    throw noAnswer(cause);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  return body as SessionState;
}

export async function endSession(): Promise<void> {
  await send(new Request(ADDRESS, { method: 'DELETE' }));
}
