import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type ClientAuth, ClientSecretPost, None, type ServerMetadata } from 'openid-client';
import type { Settings } from '../../config/config-schema.ts';
import type { ServiceName } from '../actor.ts';

export type OAuthSettings = Settings['auth']['oauth'];
export type ProviderSettings = OAuthSettings['providers'][string];

/** The client of a service of this installation at an identity provider. */
export interface ProviderClient {
  readonly clientId: string | undefined;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The usual audience of tokens for the service. */
  readonly audience: string | undefined;
  /** Every audience that the service accepts, without empty strings. */
  readonly audiences: readonly string[];
  /** Separated by spaces. */
  readonly scope: string;
  /** Scope of an exchange for a token of the service. Default: the usual one. */
  readonly exchangeScope: string | undefined;
}

/** Default audiences of the public systems (contract/alert.md 2.1, enrichment.md 1.3). */
const USUAL_AUDIENCES: Readonly<Record<ServiceName, string | undefined>> = {
  alerts: 'howler',
  analysis: undefined,
  enrichment: 'clue',
};

/** Returns the client of a service, whose settings take precedence over those of the provider. */
export function providerClient(
  provider: ProviderSettings,
  service: ServiceName,
  oauth: Pick<OAuthSettings, 'other_audiences'>,
): ProviderClient {
  const own = provider.services[service];
  const clientId = own.client_id || provider.client_id || undefined;
  const audience = own.audience || provider.audience || clientId || USUAL_AUDIENCES[service];
  const audiences = [
    audience,
    ...own.alternate_audiences,
    ...provider.alternate_audiences,
    // contract/analysis.md 2.6
    ...(service === 'analysis' ? [clientId, ...provider.external_token_alternate_audiences] : []),
    // contract/enrichment.md 1.3
    ...(service === 'enrichment' ? oauth.other_audiences : []),
  ];
  return {
    clientId,
    clientSecret: own.client_secret || (own.client_id ? undefined : provider.client_secret) || undefined,
    audience,
    audiences: [...new Set(audiences.filter((one): one is string => one !== undefined && one !== ''))],
    scope: own.scope ?? provider.scope,
    exchangeScope: own.exchange_scope || undefined,
  };
}

/** Returns the unverified issuer and key of the identity token in the answer of a token endpoint. */
export function identityTokenOf(answer: string) {
  try {
    const { id_token } = JSON.parse(answer) as { id_token?: unknown };
    if (typeof id_token !== 'string') return undefined;
    return { issuer: decodeJwt(id_token).iss, keyId: decodeProtectedHeader(id_token).kid };
  } catch {
    return undefined;
  }
}

/** Returns how a client authenticates at the token endpoint. */
export function clientAuthentication(metadata: ServerMetadata, secret: string | undefined) {
  if (secret === undefined) return None();
  const methods = metadata.token_endpoint_auth_methods_supported;
  // RFC 8414: client_secret_basic is the default.
  const posts = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  return posts ? ClientSecretPost(secret) : clientSecretBasic(secret);
}

/** Authenticates by RFC 6749 section 2.3.1, encoding only what appendix B requires: some do not decode. */
function clientSecretBasic(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = `${formEncoded(client.client_id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
