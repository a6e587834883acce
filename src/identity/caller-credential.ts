import type { VerifiedToken } from './oauth/verified-token.ts';

/**
 * The kind of credential that a caller presented, for calls on their behalf.
 * `provider_token`: an access token; `local`: a credential of an account here (password, API key, app token, session, token of
 * the installation); `vouched`: a program with a configured key named a user without an account.
 */
export type CallerCredential =
  | { readonly kind: 'provider_token'; readonly token: string }
  | { readonly kind: 'local' }
  | { readonly kind: 'vouched' };

const LOCAL: CallerCredential = { kind: 'local' };
const VOUCHED: CallerCredential = { kind: 'vouched' };

/** Returns the credential of a caller. Contains no secret but the access token of a provider. */
export function credentialOfCaller(caller: {
  readonly isVouched?: true;
  readonly verified?: VerifiedToken | undefined;
}): CallerCredential {
  const { isVouched, verified } = caller;
  if (isVouched) return VOUCHED;
  return verified === undefined ? LOCAL : { kind: 'provider_token', token: verified.token };
}
