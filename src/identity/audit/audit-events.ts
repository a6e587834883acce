/**
 * Every kind of security event with what it means. docs/operating.md has the same list, and a test compares the two.
 * Names are stable: people write alarms on them.
 */
export const AUDIT_EVENTS = {
  login_succeeded: 'Somebody signed in; `method` says how.',
  login_failed: 'A sign-in was refused; `code` says why. `user` is who they claimed to be.',
  credential_refused: 'A request was refused because of the credential that it brought; `code` says why.',
  token_accepted:
    'A service accepted an access token of a provider for the first time since its process started; later requests with the token write nothing.',
  locked_out:
    'There were too many failed sign-ins: of `user` from `address`; without `address`, of `user` from all addresses; without `user`, from `address`.',
  logout: 'Somebody ended their session.',
  api_key_created: 'An API key was made; `key` is its name.',
  api_key_changed: 'Privileges, roles or expiry of an API key were changed.',
  api_key_refused:
    'An API key was not made or changed as asked for; `code` says why: it would have allowed more than whoever asked may give, for example.',
  api_key_revoked: 'An API key was revoked.',
  impersonated: 'A request was made in the name of `user` by `impersonator`; `key` is the key that allowed it.',
  on_behalf_of_call: 'A request was made with an on-behalf-of token; `azp` is the client that made it.',
  token_exchanged:
    'A token of `user` was exchanged for one whose audience is `target`; `azp` is the client it was given to.',
  token_exchange_failed: 'Such an exchange was refused or could not be made; `code` says why.',
  impersonation_allowed: 'A user let a client call in their name; `azp` is the client, `after` its roles.',
  impersonation_withdrawn: 'A user took that permission back.',
  user_created: 'An account was made, by an administrator or at the first sign-in through a provider.',
  account_linked:
    'An account was linked to an identity at a provider, to which its verified e-mail address led; `fields` names the credentials that became void.',
  user_changed: 'An account was changed; `fields` names what.',
  roles_changed:
    'User types or roles of an account were changed, by an administrator or by the groups that a provider told.',
  user_disabled: 'An account was switched off.',
  user_enabled: 'An account was switched on.',
  user_deleted: 'An account was deleted.',
  password_changed: 'A password was set.',
} as const;

export type AuditEventName = keyof typeof AUDIT_EVENTS;
