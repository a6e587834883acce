import { decodeJwt } from 'jose';
import { ClientError, genericGrantRequest } from 'openid-client';
import type { Settings } from '../../config/config-schema.ts';
import { isTriadError } from '../../errors/errors.ts';
import { SERVICES, type ServiceName } from '../actor.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import { refusalOf } from '../oauth/provider-failure.ts';
import { isFor } from '../oauth/verified-token.ts';

export interface GrantedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Undefined when it is not a JSON Web Token. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

/** A failed grant. `code` is stable; `detail` may quote the provider, and never contains a token. */
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

/** Default lifetime of a token in milliseconds. */
const USUAL_LIFETIME = 300_000;

/** Exchanges a user's token by RFC 8693, or by Entra ID's on-behalf-of grant; throws GrantFailure. */
export async function exchangeGrant(
  provider: IdentityProvider,
  service: ServiceName,
  token: string,
  { audience, scope }: ExchangeTarget,
  now: number,
): Promise<GrantedToken> {
  const isEntra = provider.settings.on_behalf_of === 'jwt_bearer';
  if (isEntra && scope === undefined) throw new GrantFailure('exchange_needs_scope');
  const [type, parameters] = isEntra
    ? [JWT_BEARER, { assertion: token, requested_token_use: 'on_behalf_of', scope }]
    : [
        TOKEN_EXCHANGE,
        {
          subject_token: token,
          subject_token_type: ACCESS_TOKEN,
          requested_token_type: ACCESS_TOKEN,
          audience,
          scope,
        },
      ];
  const granted = await grant(provider, service, type, parameters, now);
  if (granted.token === token) throw new GrantFailure('exchange_without_effect');
  return granted;
}

/** Requests a grant of an access token; undefined parameters are not sent; throws GrantFailure. */
export async function grant(
  provider: IdentityProvider,
  service: ServiceName,
  grantType: string,
  parameters: Readonly<Record<string, string | undefined>>,
  now: number,
): Promise<GrantedToken & { readonly refreshToken: string | undefined }> {
  const sent = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined);
  try {
    const answer = await provider.grant(service, (configuration) =>
      genericGrantRequest(configuration, grantType, {
        ...Object.fromEntries(sent),
        ...provider.settings.access_token_params,
      }),
    );
    if (answer.token_type !== 'bearer') {
      throw new GrantFailure('exchange_answer_unusable', 'its token is not a bearer token');
    }
    const stated = answer.expires_in === undefined ? undefined : now + answer.expires_in * 1000;
    return { ...grantedToken(answer.access_token, now, stated), refreshToken: answer.refresh_token };
  } catch (error) {
    throw failureOf(error);
  }
}

/** Returns a token with the earlier expiry of the token and of `stated`, else the default one. */
export function grantedToken(token: string, now: number, stated?: number): GrantedToken {
  const claims = claimsOf(token);
  const own = typeof claims?.exp === 'number' ? claims.exp * 1000 : undefined;
  return { token, claims, expires: Math.min(stated ?? Infinity, own ?? stated ?? now + USUAL_LIFETIME) };
}

/** Returns false for a token with another audience than the target. */
export function isForTarget({ claims }: GrantedToken, { audience }: ExchangeTarget): boolean {
  return claims === undefined || audience === undefined || isFor(claims, audience);
}

/** Returns the unverified claims of a token; undefined when it is not a JSON Web Token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): GrantFailure {
  if (error instanceof GrantFailure) return error;
  const answer = refusalOf(error);
  if (answer !== undefined) {
    const { refusal, description } = answer;
    const words = description === undefined ? refusal : `${refusal}: ${description}`;
    return new GrantFailure('exchange_refused', withoutTokens(words), error);
  }
  if (isTriadError(error)) return new GrantFailure(error.code, withoutTokens(error.message), error);
  if (error instanceof ClientError) return new GrantFailure('exchange_answer_unusable', error.code, error);
  return new GrantFailure('identity_provider_unavailable', undefined, error);
}

/** Searched characters of an answer; the search takes quadratic time. */
const MAX_SEARCHED = 4000;

/** Removes tokens, because a provider may repeat what it was sent. */
function withoutTokens(text: string): string {
  const searched = text.slice(0, MAX_SEARCHED);
  return searched.replaceAll(/[\w-]{16,}(?:\.[\w-]*)+/g, '…').slice(0, 300);
}

/** The recipient of an exchanged token, at one provider. */
export interface ExchangeTarget {
  readonly name: string;
  /** The service of this installation; undefined for other targets. */
  readonly service: ServiceName | undefined;
  readonly audience: string | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
}

export type ConfiguredTargets = Settings['enrichment']['obo_targets'];

/**
 * Returns the target of that name: a configured one, else a service of this installation. Undefined if
 * there is none, or it is disabled. Of a scope alone, the part before its first slash is the audience (contract/enrichment.md 1.5).
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
  const isEntra = provider.settings.on_behalf_of === 'jwt_bearer';
  const usual = audience !== undefined && isEntra ? `${audience}/.default` : undefined;
  return { name, service, audience, scope: exchangeScope ?? usual };
}

function audienceOfScope(scope: string): string | undefined {
  const end = scope.includes('://') ? scope.lastIndexOf('/') : scope.indexOf('/');
  return end > 0 ? scope.slice(0, end) : undefined;
}
