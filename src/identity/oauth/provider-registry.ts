import { SERVICES } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import { IdentityProvider } from './provider.ts';
import type { OAuthSettings } from './provider-client.ts';

/** The configured identity providers; none if `auth.oauth.enabled` is off. */
export class ProviderRegistry {
  readonly settings: OAuthSettings;
  readonly #providers: ReadonlyMap<string, IdentityProvider>;

  /** @throws InvalidInput `invalid_setting` */
  constructor(parts: { readonly settings: OAuthSettings; readonly log: IdentityLog; readonly now?: () => number }) {
    const { settings, log, now = Date.now } = parts;
    this.settings = settings;
    const names = Object.keys(settings.providers);
    if (!settings.enabled && names.length > 0) {
      log.warn(
        { providers: names },
        'identity providers are configured, but auth.oauth.enabled is off: they are not used',
      );
    } else if (settings.enabled && names.length === 0) {
      log.warn({}, 'auth.oauth.enabled is on, but no identity provider is configured below auth.oauth.providers');
    }
    const configured = settings.enabled ? Object.entries(settings.providers) : [];
    this.#providers = new Map(
      configured.map(([name, provider]) => [
        name,
        new IdentityProvider({ name, settings: provider, oauth: settings, now, log }),
      ]),
    );
    this.#warnOfSharedAudiences(log);
  }

  /** Warns of providers whose tokens cannot be distinguished, although their rules differ. */
  #warnOfSharedAudiences(log: IdentityLog): void {
    const all = this.all();
    for (const [index, first] of all.entries()) {
      for (const second of all.slice(index + 1)) {
        if (!second.issuers().some((issuer) => first.issuers().includes(issuer))) continue;
        const service = SERVICES.find((one) =>
          second.client(one).audiences.some((audience) => first.client(one).audiences.includes(audience)),
        );
        if (service === undefined) continue;
        log.warn(
          { providers: [first.name, second.name], service },
          `the identity providers ${first.name} and ${second.name} have one issuer and an audience in common: which of them a token belongs to is chance. Give each a client or an audience of its own`,
        );
      }
    }
  }

  get enabled(): boolean {
    return this.settings.enabled;
  }

  /** Returns all providers in the order of the configuration. */
  all(): readonly IdentityProvider[] {
    return [...this.#providers.values()];
  }

  /** Returns the addresses in the configuration, without those in the metadata of providers. */
  addresses(): readonly string[] {
    return this.all().flatMap(({ settings }) =>
      [settings.discovery_url, settings.jwks_uri, settings.access_token_url].filter((url) => url !== null),
    );
  }

  /** Returns the provider with exactly this name. */
  find(name: string): IdentityProvider | undefined {
    return this.#providers.get(name);
  }

  /** Returns the providers of an issuer; several if the installation has several clients there. */
  withIssuer(issuer: string): readonly IdentityProvider[] {
    return this.all().filter((provider) => provider.issuers().includes(issuer));
  }

  /** Returns the providers whose tokens are identified by their key only. */
  withoutIssuer(): readonly IdentityProvider[] {
    return this.all().filter((provider) => !provider.hasKnownIssuer);
  }
}
