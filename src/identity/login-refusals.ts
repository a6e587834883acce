import type { Settings } from '../config/config-schema.ts';
import { Forbidden, Unauthenticated } from '../errors/errors.ts';

/** Refusals of logins, in the wording that clients of the public system know. */

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

/** @param cause for the log: callers are not told which rule of their provider it was */
export function notAdmitted(cause?: Error): Forbidden {
  return new Forbidden('not_admitted', 'This user is not allowed access to the system', { cause });
}

export function noImpersonatedUser(): Unauthenticated {
  return new Unauthenticated('no_impersonated_user', 'No impersonated user found');
}

/** Rejects API keys while they are off, in words of the service. @throws Forbidden `api_keys_disabled` */
export function rejectDisabledKeys(
  { allow_apikeys }: Pick<Settings['auth'], 'allow_apikeys'>,
  sentence = 'API Key authentication disabled',
): void {
  if (!allow_apikeys) throw new Forbidden('api_keys_disabled', sentence);
}
