import type { Settings } from '../config/config-schema.ts';
import { Forbidden, isTriadError, Unauthenticated } from '../errors/errors.ts';
import { Networks } from '../identity/networks.ts';

/**
 * Adds data to refusals with which the public interface offers help (contract/analysis.md section
 * 1.2).
 */
export class AccessDenials {
  readonly #allowed: object;
  readonly #passwords: boolean;
  readonly #providers: readonly { readonly name: string; readonly networks: Networks }[];

  constructor({ auth, analysis }: Pick<Settings, 'auth' | 'analysis'>) {
    const { ui } = analysis;
    this.#allowed = {
      auth: {
        allow_2fa: analysis.auth.allow_2fa,
        allow_apikeys: auth.allow_apikeys,
        allow_security_tokens: analysis.auth.allow_security_tokens,
      },
      ui: {
        allow_url_submissions: ui.allow_url_submissions,
        read_only: ui.read_only,
        tos: Boolean(ui.tos),
        tos_lockout: ui.tos_lockout,
        tos_lockout_notify: ui.tos_lockout_notify.length > 0,
      },
    };
    this.#passwords = auth.internal.enabled;
    const providers = auth.oauth.enabled ? Object.entries(auth.oauth.providers) : [];
    this.#providers = providers
      .filter(([, { client_id, services }]) => (services.analysis.client_id ?? client_id) !== null)
      .map(([name, { ip_filter }]) => {
        return { name, networks: new Networks(ip_filter, `auth.oauth.providers.${name}.ip_filter`) };
      });
  }

  /** Returns a refusal of the guard with the data that clients look for; other errors unchanged. */
  complete(error: Error, path: string, address: string): Error {
    if (!isTriadError(error) || error.response !== undefined) return error;
    if (error.kind === 'forbidden') {
      return new Forbidden(error.code, `Access Denied (${path}) [${error.message}]`, { response: this.#allowed });
    }
    if (error.kind !== 'unauthenticated') return error;
    return new Unauthenticated(error.code, error.message, { response: this.#waysToSignIn(address) });
  }

  /** Returns the ways to sign in that are open to an address. */
  #waysToSignIn(address: string): object {
    const providers = this.#providers.filter(({ networks }) => networks.admit(address)).map(({ name }) => name);
    return {
      allow_saml_login: false,
      allow_signup: false,
      allow_userpass_login: this.#passwords,
      ...(providers.length > 0 ? { oauth_providers: providers } : {}),
    };
  }
}
