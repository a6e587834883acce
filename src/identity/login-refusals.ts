import { Forbidden, Unauthenticated } from '../errors/errors.ts';

/** What refused logins are told, in the words that clients of the public system know. */

export function invalidLogin(): Unauthenticated {
  return new Unauthenticated('invalid_login', 'Invalid login information');
}

export function unknownKey(): Unauthenticated {
  return new Unauthenticated('unknown_api_key', 'API Key does not exist');
}

/** @param username as it is stored */
export function accountDisabled(username: string): Forbidden {
  return new Forbidden('account_disabled', `The account ${username} is disabled. An administrator can enable it.`);
}

export function noImpersonatedUser(): Unauthenticated {
  return new Unauthenticated('no_impersonated_user', 'No impersonated user found');
}
