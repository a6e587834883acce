import { decodeJwt } from 'jose';
import { ClientError, genericGrantRequest } from 'openid-client';
import type { Settings } from '../../config/config-schema.ts';
import { isTriadError } from '../../errors/errors.ts';
import { SERVICES, type ServiceName } from '../actor.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import { refusalOf } from '../oauth/provider-failure.ts';
import { isFor } from '../oauth/verified-token.ts';

/** A token of somebody, until when. */
export interface GrantedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Undefined when it is no JSON Web Token. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

/** Why no token came, for operators: `code` is stable, `detail` may hold what the provider said, never a token. */
export class GrantFailure extends Error {
  readonly code: string;
  readonly detail: string | undefined;

  constructor(code: string, detail?: string, cause?: unknown) {
    super(detail === undefined ? code : `${code}: ${detail}`, { cause });
    this.name = 'GrantFailure';
    this.code = code;
    this.detail = detail;
  }
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** Milliseconds that a token of which nobody says otherwise is taken to live. */
const USUAL_LIFETIME = 300_000;

/**
 * Exchanges a user's token for one that is for the target: by RFC 8693, or by the on-behalf-of grant of Entra ID where the provider is
 * configured so.
 * @param service that exchanges, with its own client at the provider
 * @throws GrantFailure
 */
export async function exchangeGrant(
  provider: IdentityProvider,
  service: ServiceName,
  token: string,
  { audience, scope }: ExchangeTarget,
  now: number,
): Promise<GrantedToken> {
  const isEntra = provider.settings.on_behalf_of === 'jwt_bearer';
  if (isEntra && scope === undefined) throw new GrantFailure('exchange_needs_scope');
  const granted = isEntra
    ? await grant(
        provider,
        service,
        JWT_BEARER,
        { assertion: token, requested_token_use: 'on_behalf_of', ...given({ scope }) },
        now,
      )
    : await grant(
        provider,
        service,
        TOKEN_EXCHANGE,
        {
          subject_token: token,
          subject_token_type: ACCESS_TOKEN,
          requested_token_type: ACCESS_TOKEN,
          ...given({ audience, scope }),
        },
        now,
      );
  if (granted.token === token) throw new GrantFailure('exchange_without_effect');
  return granted;
}

/**
 * Any grant that ends in an access token.
 * @throws GrantFailure
 */
export async function grant(
  provider: IdentityProvider,
  service: ServiceName,
  grantType: string,
  parameters: Record<string, string>,
  now: number,
): Promise<GrantedToken & { readonly refreshToken: string | undefined }> {
  try {
    const answer = await provider.grant(service, (configuration) =>
      genericGrantRequest(configuration, grantType, { ...parameters, ...provider.settings.access_token_params }),
    );
    if (answer.token_type !== 'bearer')
      throw new GrantFailure('exchange_answer_unusable', 'its token is not a bearer token');
    const claims = claimsOf(answer.access_token);
    const stated = answer.expires_in === undefined ? undefined : now + answer.expires_in * 1000;
    const own = typeof claims?.exp === 'number' ? claims.exp * 1000 : undefined;
    return {
      token: answer.access_token,
      claims,
      expires: Math.min(stated ?? Infinity, own ?? stated ?? now + USUAL_LIFETIME),
      refreshToken: answer.refresh_token,
    };
  } catch (error) {
    throw failureOf(error);
  }
}

/** Whether a token is for the target, as far as one can see: other audiences than the known one are refused. */
export function isForTarget({ claims }: GrantedToken, { audience }: ExchangeTarget): boolean {
  return claims === undefined || audience === undefined || isFor(claims, audience);
}

/** What a token says of itself, without any proof; undefined when it is no JSON Web Token. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): GrantFailure {
  if (error instanceof GrantFailure) return error;
  const said = refusalOf(error);
  if (said !== undefined) {
    const { refusal, description } = said;
    const words = description === undefined ? refusal : `${refusal}: ${description}`;
    return new GrantFailure('exchange_refused', withoutTokens(words), error);
  }
  if (isTriadError(error)) return new GrantFailure(error.code, withoutTokens(error.message), error);
  if (error instanceof ClientError) return new GrantFailure('exchange_answer_unusable', error.code, error);
  return new GrantFailure('identity_provider_unavailable', undefined, error);
}

const MAX_TOLD = 4000;

/** Providers may repeat what they were sent. */
function withoutTokens(text: string): string {
  // Looking for them takes a time that grows with the square of the length.
  return text
    .slice(0, MAX_TOLD)
    .replaceAll(/[\w-]{16,}(?:\.[\w-]*)+/g, '…')
    .slice(0, 300);
}

function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Who an exchanged token is for, at one provider. */
export interface ExchangeTarget {
  readonly name: string;
  /** The service of this installation that it is; undefined: somebody else's. */
  readonly service: ServiceName | undefined;
  readonly audience: string | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
}

export type ConfiguredTargets = Settings['enrichment']['obo_targets'];

/**
 * The target of that name: a configured one, else a service of this installation. Undefined when there is none, or it is switched off.
 * Where only a scope is configured, what stands before its first slash is the audience (contract/enrichment.md section 1.5).
 */
export function exchangeTarget(
  name: string,
  configured: ConfiguredTargets,
  provider: IdentityProvider,
): ExchangeTarget | undefined {
  const target = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (target) {
    if (!target.enabled) return undefined;
    const { scope } = target;
    return { name, service: undefined, audience: target.audience ?? audienceOfScope(scope), scope };
  }
  const service = SERVICES.find((one) => one === name);
  if (service === undefined) return undefined;
  const { audience, exchangeScope } = provider.client(service);
  const usual =
    audience !== undefined && provider.settings.on_behalf_of === 'jwt_bearer' ? `${audience}/.default` : undefined;
  const scope = exchangeScope ?? usual;
  return { name, service, audience, scope };
}

function audienceOfScope(scope: string): string | undefined {
  const end = scope.includes('://') ? scope.lastIndexOf('/') : scope.indexOf('/');
  return end > 0 ? scope.slice(0, end) : undefined;
}
