import type { AnalysisActor, AnalysisCredentials } from './analysis-caller.ts';

/** Names of the cookies of a session. */
export const SESSION_COOKIE = 'session';
export const XSRF_COOKIE = 'XSRF-TOKEN';

/** What a caller sends to log in, by the names of contract/analysis.md section 2.1. Empty texts count as missing. */
export interface AnalysisLoginRequest {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly otp?: string | undefined;
  readonly apikey?: string | undefined;
  readonly webauthn_auth_resp?: unknown;
  readonly oauth_provider?: string | undefined;
  readonly oauth_token?: string | undefined;
  readonly oauth_token_id?: string | undefined;
  readonly saml_token_id?: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId?: string | undefined;
}

/** A session that was opened. */
export interface AnalysisLogin {
  readonly username: string;
  /** Roles that the credential leaves; undefined: all of the account. */
  readonly rolesLimit: readonly string[] | undefined;
  /** Seconds. */
  readonly sessionDuration: number;
  /** Value of the cookie `session`. */
  readonly session: string;
  readonly xsrfToken: string;
}

/**
 * Establishes who is calling the analysis service. Safe for concurrent use. A user that was changed, switched off or deleted, a key that
 * was revoked and a session that was ended count as such at once in this process, after a second in others.
 *
 * Refusals of `authenticate` have no `response`: the service adds its own (contract/analysis.md section 1.2, 401 and 403) and, at a 401,
 * takes the cookies back. Refusals of `login` have the response `''`, which goes out as it is.
 */
export interface AnalysisIdentityContract {
  /**
   * Who sends this: by `X-USER` and `X-APIKEY`, else by the session, else by bearer token alone; a bearer token beside another credential
   * is on behalf of somebody.
   * @throws Unauthenticated `invalid_api_key`, `api_keys_disabled`, `api_key_owner_inactive`, `api_keys_not_allowed`, `session_not_found`,
   *   `session_expired`, `session_address_changed`, `session_user_agent_changed`, `unknown_user`
   * @throws Forbidden `invalid_xsrf_token`, `account_disabled`
   * @throws Unavailable `sessions_unavailable` while coordination is gone; API keys go on
   */
  authenticate(credentials: AnalysisCredentials): Promise<AnalysisActor>;

  /** Verifies a credential and opens a session. */
  login(request: AnalysisLoginRequest): Promise<AnalysisLogin>;

  /** Ends a session; nothing happens when there is none. */
  logout(session: string | undefined, request: Pick<AnalysisCredentials, 'address' | 'requestId'>): Promise<void>;
}
