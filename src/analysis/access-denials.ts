import type { Config } from '../config/config.ts';
import { valuesAt } from '../documents/schema/plain-objects.ts';
import { Forbidden, isTriadError, Unauthenticated } from '../errors/errors.ts';
import { Networks } from '../identity/networks.ts';
import { interfaceConfiguration, signInConfiguration } from './users/whoami-configuration.ts';

/** Returns a refusal with the data by which clients offer help; other errors unchanged. */
export type AccessDenials = (error: Error, path: string, address: string) => Error;

/** Returns the function that completes refusals of the guard (contract/analysis.md section 1.2). */
export function accessDenials(settings: Config): AccessDenials {
  const { internal, oauth } = settings.auth;
  const allowed = {
    auth: valuesAt(signInConfiguration(settings), 'allow_2fa allow_apikeys allow_security_tokens'),
    ui: valuesAt(
      interfaceConfiguration(settings),
      'allow_url_submissions read_only tos tos_lockout tos_lockout_notify',
    ),
  };
  const providers = Object.entries(oauth.enabled ? oauth.providers : {})
    .filter(([, { client_id, services }]) => (services.analysis.client_id ?? client_id) !== null)
    .map(([name, { ip_filter }]) => ({
      name,
      networks: new Networks(ip_filter, `auth.oauth.providers.${name}.ip_filter`),
    }));

  return (error, path, address) => {
    if (!isTriadError(error) || error.response !== undefined) return error;
    if (error.kind === 'forbidden') {
      const { code, message, needs } = error;
      return new Forbidden(code, `Access Denied (${path}) [${message}]`, { response: allowed, needs });
    }
    if (error.kind !== 'unauthenticated') return error;
    const open = providers.filter(({ networks }) => networks.admit(address)).map(({ name }) => name);
    const waysToSignIn = {
      allow_saml_login: false,
      allow_signup: false,
      allow_userpass_login: internal.enabled,
      ...(open.length > 0 ? { oauth_providers: open } : {}),
    };
    return new Unauthenticated(error.code, error.message, { response: waysToSignIn });
  };
}
