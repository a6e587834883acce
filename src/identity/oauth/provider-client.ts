import type { Settings } from '../../config/config-schema.ts';
import type { ServiceName } from '../actor.ts';

export type OAuthSettings = Settings['auth']['oauth'];
export type ProviderSettings = OAuthSettings['providers'][string];

/** What one service of this installation is at an identity provider. */
export interface ProviderClient {
  readonly clientId: string | undefined;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** The audience that tokens for the service usually name. */
  readonly audience: string | undefined;
  /** Every audience that the service accepts; never empty texts. */
  readonly audiences: readonly string[];
  /** Separated by spaces. */
  readonly scope: string;
  /** Of an exchange for a token for the service; undefined: the usual one. */
  readonly exchangeScope: string | undefined;
}

/** Audiences of the public systems where neither an audience nor a client is configured (contract/alert.md 2.1, enrichment.md 1.3). */
const USUAL_AUDIENCES: Readonly<Record<ServiceName, string | undefined>> = {
  alerts: 'howler',
  analysis: undefined,
  enrichment: 'clue',
};

/** The settings of the service, then those of the provider, key by key. */
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
