import {
  allowInsecureRequests,
  Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { SERVICES, type ServiceName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';
import { Networks } from '../networks.ts';
import {
  clientAuthentication,
  identityTokenOf,
  type OAuthSettings,
  type ProviderClient,
  type ProviderSettings,
  providerClient,
} from './provider-client.ts';
import { ProviderDocument, ProviderKeys } from './provider-document.ts';
import { openIdFetch, PROVIDER_TIMEOUT } from './provider-fetch.ts';

/** Permitted clock difference in seconds. */
export const LEEWAY = 30;

const HOUR = 3_600_000;
const WELL_KNOWN = '/.well-known/';

/** Issuer in the metadata of a provider with an unknown issuer; no token names it. */
const UNKNOWN_ISSUER = 'urn:triad:unknown-issuer';

interface ProviderDependencies {
  readonly name: string;
  readonly settings: ProviderSettings;
  readonly oauth: Pick<OAuthSettings, 'other_audiences'>;
  readonly now: () => number;
  readonly log: IdentityLog;
}

/** A configured identity provider. Requests nothing before its first use. Safe for concurrent use. */
export class IdentityProvider {
  readonly name: string;
  readonly settings: ProviderSettings;
  readonly keys: ProviderKeys;
  readonly #clients: Readonly<Record<ServiceName, ProviderClient>>;
  readonly #discovered: ProviderDocument<ServerMetadata> | undefined;
  readonly #insecure: boolean;
  readonly #networks: Networks;

  /** @throws InvalidInput `invalid_setting` */
  constructor(dependencies: ProviderDependencies) {
    const { name, settings, oauth, now, log } = dependencies;
    this.name = name;
    this.settings = settings;
    const client = (service: ServiceName) => providerClient(settings, service, oauth);
    this.#clients = { alerts: client('alerts'), analysis: client('analysis'), enrichment: client('enrichment') };
    // Stored identities begin with the name: `main:1`, `main/oid:f00`.
    if (/[:/]/.test(name)) throw invalidProvider(name, 'must have a name without colon and slash');
    const { discovery_url } = settings;
    if (!discovery_url && !settings.jwks_uri) {
      throw invalidProvider(name, 'needs discovery_url, or jwks_uri with the addresses that are used');
    }
    for (const service of SERVICES) this.#rejectWrongScope(service);
    this.#networks = new Networks(settings.ip_filter, `auth.oauth.providers.${name}.ip_filter`);
    // Plain HTTP has to be configured; a provider with TLS cannot redirect to it.
    this.#insecure = [discovery_url ?? settings.jwks_uri, settings.access_token_url].some((url) =>
      url?.startsWith('http:'),
    );
    this.#discovered = discovery_url
      ? new ProviderDocument({
          provider: name,
          what: 'its metadata',
          lifetime: HOUR,
          longest: 24 * HOUR,
          fetch: () => this.#discover(discovery_url),
          now,
          log,
        })
      : undefined;
    this.keys = new ProviderKeys({ provider: name, address: () => this.#keySetAddress(), now, log });
  }

  /** Rejects addresses outside the networks of `ip_filter`. @throws Forbidden `address_not_admitted` */
  rejectOtherNetworks(address: string | undefined): void {
    if (this.#networks.admit(address)) return;
    throw new Forbidden('address_not_admitted', 'You cannot sign in through this provider from your address.');
  }

  /** Returns the client of the service at this provider. */
  client(service: ServiceName): ProviderClient {
    return this.#clients[service];
  }

  /** True if tokens of this provider are identified by `iss`, not by their key. */
  get hasKnownIssuer(): boolean {
    return Boolean(this.settings.iss || this.settings.discovery_url);
  }

  /** Returns the issuers that tokens of this provider may name, without a request. */
  issuers(): readonly string[] {
    const { iss, discovery_url } = this.settings;
    const discovered = this.#discovered?.current()?.issuer;
    const expected = discovered === undefined ? issuersOfAddress(discovery_url) : [discovered];
    return iss ? [iss, ...expected] : expected;
  }

  /** Returns the metadata; configured values take precedence; throws `identity_provider_unavailable`. */
  async metadata(): Promise<ServerMetadata> {
    const { settings } = this;
    const discovered = await this.#discovered?.get();
    const set = {
      jwks_uri: settings.jwks_uri,
      authorization_endpoint: settings.authorize_url,
      token_endpoint: settings.access_token_url,
      end_session_endpoint: settings.end_session_url,
    };
    const given = Object.fromEntries(Object.entries(set).filter(([, value]) => Boolean(value)));
    return { issuer: settings.iss || UNKNOWN_ISSUER, ...discovered, ...given };
  }

  /** Configures openid-client to verify identity tokens; throws `provider_without_client`, as `metadata`. */
  async configuration(service: ServiceName): Promise<Configuration> {
    return this.#configure(await this.metadata(), this.client(service), openIdFetch);
  }

  /**
   * Requests tokens. Identity tokens are verified with the cached keys of the provider, which are
   * fetched again for a new key. An unknown issuer is taken from the identity token, which is verified by its signature:
   * `request` then runs twice, with one request to the provider. @throws what `request` throws; and as `configuration`
   */
  async grant<Answer>(
    service: ServiceName,
    request: (configuration: Configuration) => Promise<Answer>,
  ): Promise<Answer> {
    const [metadata, client] = [await this.metadata(), this.client(service)];
    const [tokens, keys] = [metadata.token_endpoint, metadata.jwks_uri].map((url) => URL.parse(url ?? '')?.href);
    let answer: Response | undefined;
    let token: ReturnType<typeof identityTokenOf>;
    const listening: CustomFetch = async (url, options) => {
      if (url === keys) return Response.json(await this.keys.publishedWith(token?.keyId));
      const given = await openIdFetch(url, options);
      if (url !== tokens) return given;
      answer = given.clone();
      token = identityTokenOf(await given.clone().text());
      return given;
    };
    try {
      return await request(this.#configure(metadata, client, listening));
    } catch (error) {
      const [received, issuer] = [answer, token?.issuer];
      if (this.hasKnownIssuer || !received || issuer === undefined) throw error;
      const replaying: CustomFetch = (url, options) =>
        url === tokens ? Promise.resolve(received.clone()) : listening(url, options);
      return request(this.#configure({ ...metadata, issuer }, client, replaying));
    }
  }

  async #keySetAddress(): Promise<string> {
    const { jwks_uri } = this.settings.jwks_uri ? this.settings : await this.metadata();
    if (!jwks_uri) throw new Error('its metadata names no jwks_uri');
    return jwks_uri;
  }

  #configure(
    metadata: ServerMetadata,
    { clientId, clientSecret }: ProviderClient,
    request: CustomFetch,
  ): Configuration {
    if (clientId === undefined) {
      throw new InvalidInput(
        'provider_without_client',
        `The identity provider ${this.name} has no client_id in the configuration, so it cannot be used to sign in.`,
      );
    }
    const { jwt_token_alg } = this.settings;
    const configuration = new Configuration(
      metadata,
      clientId,
      {
        [clockTolerance]: LEEWAY,
        ...(jwt_token_alg === null ? {} : { id_token_signed_response_alg: jwt_token_alg }),
      },
      clientAuthentication(metadata, clientSecret),
    );
    configuration[customFetch] = request;
    configuration.timeout = PROVIDER_TIMEOUT / 1000;
    if (this.#insecure) allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async #discover(address: string): Promise<ServerMetadata> {
    const found = await discovery(new URL(address), this.settings.client_id ?? this.name, undefined, None(), {
      [customFetch]: openIdFetch,
      execute: this.#insecure ? [allowInsecureRequests] : [],
      timeout: PROVIDER_TIMEOUT / 1000,
    }).catch((error: unknown) => {
      throw explained(error, address);
    });
    const metadata = found.serverMetadata();
    // For the address of an issuer, the library compares them.
    if (address.includes(WELL_KNOWN) && !issuersOfAddress(address).includes(metadata.issuer)) {
      throw anotherIssuer(address, metadata.issuer);
    }
    return { ...metadata };
  }

  /** Rejects a scope without the audience that Entra ID takes from it (contract/alert.md 2.1). */
  #rejectWrongScope(service: ServiceName): void {
    if (this.name !== 'azure' && this.name !== 'entraid') return;
    const { audience, scope } = this.client(service);
    if (audience === undefined || scope.split(/\s+/).includes(`${audience}/.default`)) return;
    throw invalidProvider(this.name, `needs ${audience}/.default in the scope of the ${service} service`);
  }
}

/** Returns the issuers that fit a well-known address, with and without a final slash. */
function issuersOfAddress(address: string | null): readonly string[] {
  if (!address) return [];
  const [start = ''] = address.split(WELL_KNOWN);
  const bare = start.replace(/\/+$/, '');
  return [bare, `${bare}/`];
}

/** Returns an error of the library with the address and the unexpected value, which operators need. */
function explained(error: unknown, address: string): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Response) {
    const what = cause.status === 200 ? 'something other than JSON' : `status ${cause.status}`;
    return new Error(`${address} answered with ${what}`);
  }
  const issuer = (cause as { readonly body?: { readonly issuer?: unknown } } | undefined)?.body?.issuer;
  return issuer === undefined ? new Error(address, { cause: error }) : anotherIssuer(address, issuer);
}

function anotherIssuer(address: string, issuer: unknown): Error {
  return new Error(`${address} names another issuer, ${String(issuer).slice(0, 200)}`);
}

function invalidProvider(name: string, problem: string): InvalidInput {
  const at = `auth.oauth.providers.${name}`;
  return new InvalidInput('invalid_setting', `${at} ${problem}.`, { at });
}
