import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
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
import { type OAuthSettings, type ProviderClient, type ProviderSettings, providerClient } from './provider-client.ts';
import { ProviderDocument } from './provider-document.ts';
import { openIdFetch, PROVIDER_TIMEOUT } from './provider-fetch.ts';
import { ProviderKeys } from './provider-keys.ts';

/** Seconds that clocks may differ. */
export const LEEWAY = 30;

const HOUR = 3_600_000;
const WELL_KNOWN = '/.well-known/';

/** Issuer in the metadata of a provider whose issuer nobody told; no token names it. */
const UNKNOWN_ISSUER = 'urn:triad:unknown-issuer';

export interface ProviderDependencies {
  readonly name: string;
  readonly settings: ProviderSettings;
  readonly oauth: Pick<OAuthSettings, 'other_audiences'>;
  readonly now: () => number;
  readonly log: IdentityLog;
}

/** One configured identity provider. Nothing is asked of it before somebody needs it. Safe for concurrent use. */
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
    // Plain HTTP is for those who wrote it into the configuration; a provider reached by TLS cannot lead away from it.
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
    this.keys = new ProviderKeys({
      provider: name,
      address: () => this.#keySetAddress(),
      now,
      log,
    });
  }

  /** Nobody signs in through this provider from other networks than those of `ip_filter`. @throws Forbidden `address_not_admitted` */
  rejectOtherNetworks(address: string | undefined): void {
    if (this.#networks.admit(address)) return;
    throw new Forbidden('address_not_admitted', 'You cannot sign in through this provider from your address.');
  }

  /** What the service is at this provider. */
  client(service: ServiceName): ProviderClient {
    return this.#clients[service];
  }

  /** Whether tokens of this provider say so in `iss`; if not, they are known by their key. */
  get hasKnownIssuer(): boolean {
    return Boolean(this.settings.iss || this.settings.discovery_url);
  }

  /** Issuers that tokens of this provider name, as far as they are known without asking it. */
  issuers(): readonly string[] {
    const { iss, discovery_url } = this.settings;
    const discovered = this.#discovered?.current()?.issuer;
    const expected = discovered === undefined ? issuersOfAddress(discovery_url) : [discovered];
    return iss ? [iss, ...expected] : expected;
  }

  /**
   * What the provider can do and where, as it tells and as configured; the configuration wins.
   * @throws Unavailable `identity_provider_unavailable`
   */
  async metadata(): Promise<ServerMetadata> {
    const { settings } = this;
    const told = await this.#discovered?.get();
    const set = {
      jwks_uri: settings.jwks_uri,
      authorization_endpoint: settings.authorize_url,
      token_endpoint: settings.access_token_url,
      end_session_endpoint: settings.end_session_url,
    };
    const given = Object.fromEntries(Object.entries(set).filter(([, value]) => Boolean(value)));
    return { issuer: settings.iss || UNKNOWN_ISSUER, ...told, ...given };
  }

  /**
   * For openid-client: this provider as the service's client. Identity tokens have their signature checked, too.
   * @throws Unavailable `identity_provider_unavailable`
   * @throws InvalidInput `provider_without_client`
   */
  async configuration(service: ServiceName): Promise<Configuration> {
    return this.#configure(await this.metadata(), this.client(service), openIdFetch);
  }

  /**
   * Makes a request for tokens. Identity tokens are verified by the keys that this program keeps of the provider, which are fetched again when it signs
   * with a new one. Where nobody told the issuer, the identity token tells it: its signature is all that is known of the provider. `request` is then
   * made twice, and the provider asked once.
   * @throws what `request` throws; and as `configuration`
   */
  async grant<Answer>(
    service: ServiceName,
    request: (configuration: Configuration) => Promise<Answer>,
  ): Promise<Answer> {
    const [metadata, client] = [await this.metadata(), this.client(service)];
    const [tokens, keys] = [metadata.token_endpoint, metadata.jwks_uri].map((url) => URL.parse(url ?? '')?.href);
    let answer: Response | undefined;
    let token: IdentityToken | undefined;
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
      const [told, issuer] = [answer, token?.issuer];
      if (this.hasKnownIssuer || !told || issuer === undefined) throw error;
      const replaying: CustomFetch = (url, options) =>
        url === tokens ? Promise.resolve(told.clone()) : listening(url, options);
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
        `The identity provider ${this.name} has no client_id in the configuration, so that nobody can sign in through it.`,
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
    // Under its issuer the library has compared them.
    if (address.includes(WELL_KNOWN) && !issuersOfAddress(address).includes(metadata.issuer)) {
      throw anotherIssuer(address, metadata.issuer);
    }
    return { ...metadata };
  }

  /** contract/alert.md 2.1: Entra ID gives out tokens for an audience that the scope names. */
  #rejectWrongScope(service: ServiceName): void {
    if (this.name !== 'azure' && this.name !== 'entraid') return;
    const { audience, scope } = this.client(service);
    if (audience === undefined || scope.split(/\s+/).includes(`${audience}/.default`)) return;
    throw invalidProvider(this.name, `needs ${audience}/.default in the scope of the ${service} service`);
  }
}

/** Issuers that metadata at this address may name: with and without a slash at the end, since the well-known address does not tell. */
function issuersOfAddress(address: string | null): readonly string[] {
  if (!address) return [];
  const [start = ''] = address.split(WELL_KNOWN);
  const bare = start.replace(/\/+$/, '');
  return [bare, `${bare}/`];
}

/** The library says that something is not as it should be; whoever has to mend it needs to know what there is, and where. */
function explained(error: unknown, address: string): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Response) {
    const what = cause.status === 200 ? 'something that is no JSON' : `status ${cause.status}`;
    return new Error(`${address} answered with ${what}`);
  }
  const told = (cause as { readonly body?: { readonly issuer?: unknown } } | undefined)?.body?.issuer;
  return told === undefined ? new Error(address, { cause: error }) : anotherIssuer(address, told);
}

function anotherIssuer(address: string, issuer: unknown): Error {
  return new Error(`${address} names another issuer, ${String(issuer).slice(0, 200)}`);
}

interface IdentityToken {
  readonly issuer: string | undefined;
  readonly keyId: string | undefined;
}

/** What the identity token in the answer of a token endpoint says of itself; nobody verified it yet. */
function identityTokenOf(answer: string): IdentityToken | undefined {
  try {
    const { id_token } = JSON.parse(answer) as { id_token?: unknown };
    if (typeof id_token !== 'string') return undefined;
    return { issuer: decodeJwt(id_token).iss, keyId: decodeProtectedHeader(id_token).kid };
  } catch {
    return undefined;
  }
}

function clientAuthentication(metadata: ServerMetadata, secret: string | undefined) {
  if (secret === undefined) return None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  // RFC 8414: what is not told is client_secret_basic.
  const posts = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  return posts ? ClientSecretPost(secret) : clientSecretBasic(secret);
}

/** RFC 6749 section 2.3.1. Encoded no more than its appendix B asks for, so that providers which do not decode understand usual names, too. */
function clientSecretBasic(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${formEncoded(client.client_id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function invalidProvider(name: string, problem: string): InvalidInput {
  const at = `auth.oauth.providers.${name}`;
  return new InvalidInput('invalid_setting', `${at} ${problem}.`, { at });
}
