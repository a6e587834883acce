import { send } from './connection.ts';
import type { components } from './generated/web.ts';
import { ApiProblem, problemOf } from './problem.ts';

type Schemas = components['schemas'];

export type Session = Schemas['Session'];
/** The session of this browser, and the ways to sign in. */
export type SessionState = Schemas['SessionState'];
export type SignInOptions = SessionState['sign_in'];
export type SignIn = Schemas['SignIn'];

const ADDRESS = '/session';

export async function readSession(): Promise<SessionState> {
  const response = await send(new Request(ADDRESS));
  return response.json() as Promise<SessionState>;
}

/** Opens a session. @throws ApiProblem with the reason of a refusal; a 401 does not ask for a sign-in */
export async function openSession(signIn: SignIn): Promise<SessionState> {
  const response = await fetch(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signIn),
  }).catch((cause: unknown) => {
    throw new ApiProblem('The server does not answer.', { status: 0, code: 'no_answer', cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  return body as SessionState;
}

export async function endSession(): Promise<void> {
  await send(new Request(ADDRESS, { method: 'DELETE' }));
}
