import { send } from './connection.ts';
import { ApiProblem, problemOf } from './problem.ts';

export interface Session {
  /** Names the session in lists; not secret. */
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly opened_with: 'password' | 'apikey' | 'provider';
  readonly is_admin: boolean;
  /** The privileges of the credential that opened it: R, W, E. */
  readonly privileges: readonly string[];
  readonly expires_at: string;
  readonly idle_until: string;
}

export interface SignInOptions {
  /** True where user name and password are accepted. */
  readonly password: boolean;
  /** The advice of the installation for a forgotten password; null: the page has its own words. */
  readonly forgotten_password: string | null;
  readonly providers: readonly { readonly name: string; readonly label: string; readonly url: string }[];
}

export interface SessionAnswer {
  readonly session: Session | null;
  readonly sign_in: SignInOptions;
  /** Addresses by which programs reach the services, by name. Empty without a session. */
  readonly services: Readonly<Record<string, string>>;
}

export type SignIn =
  | {
      readonly method: 'password';
      readonly user: string;
      readonly password: string;
      readonly otp?: string;
      readonly webauthn_auth_resp?: unknown;
    }
  | { readonly method: 'apikey'; readonly user: string; readonly apikey: string }
  | { readonly method: 'provider'; readonly provider: string; readonly code: string; readonly state: string }
  | {
      readonly method: 'provider';
      readonly provider: string;
      /** The answer of the first sign-in to an account with a second factor, with its user. */
      readonly ticket: string;
      readonly user: string;
      readonly otp?: string;
      readonly webauthn_auth_resp?: unknown;
    };

const ADDRESS = '/session';

export async function readSession(): Promise<SessionAnswer> {
  const response = await send(new Request(ADDRESS));
  return response.json() as Promise<SessionAnswer>;
}

/** Opens a session. @throws ApiProblem with the reason of a refusal; a 401 does not ask for a sign-in */
export async function openSession(signIn: SignIn): Promise<SessionAnswer> {
  const response = await fetch(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signIn),
  }).catch((cause: unknown) => {
    throw new ApiProblem('The server does not answer.', { status: 0, code: 'no_answer', cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  return body as SessionAnswer;
}

export async function endSession(): Promise<void> {
  await send(new Request(ADDRESS, { method: 'DELETE' }));
}
