import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiProblem } from '../../api/problem.ts';

/** The second factors that the server asks for after a password, or a sign-in at a provider. */
export interface AskedFactors {
  /** True where a code can be typed: a one-time password, or a recovery code. */
  readonly code: 'one_time_password' | 'recovery_code' | undefined;
  /** Options for a security key of the account, which are good once. */
  readonly challenge: PublicKeyCredentialRequestOptionsJSON | undefined;
  /** Sent in place of the answer of a provider, with the name of its user. */
  readonly ticket: { readonly user: string; readonly ticket: string } | undefined;
}

/** A second factor, as a sign-in sends it. */
export interface GivenFactor {
  readonly otp?: string;
  readonly webauthn_auth_resp?: unknown;
}

/** Reads which second factors a refused sign-in asks for; undefined: refused for another reason. */
export function askedFactorsOf(error: unknown): AskedFactors | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'second_factor_required') return undefined;
  const { second_factors: kinds, challenge, user, ticket } = error.details;
  const names: readonly unknown[] = Array.isArray(kinds) ? kinds : [];
  const hasTicket = typeof user === 'string' && typeof ticket === 'string';
  return {
    code: (['one_time_password', 'recovery_code'] as const).find((kind) => names.includes(kind)),
    challenge: isOptions(challenge) ? challenge : undefined,
    ticket: hasTicket ? { user, ticket } : undefined,
  };
}

/** Returns whether browsers let a page of this host use keys that are registered for another name. */
export function isHostOfKeys(registered: string, host: string): boolean {
  return host === registered || host.endsWith(`.${registered}`);
}

/** Asks the browser for the answer of a security key; undefined when the person cancelled it. */
export async function answerOfSecurityKey(optionsJSON: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return unlessCancelled(startAuthentication({ optionsJSON }));
}

/** Asks the browser to register a security key; undefined when the person cancelled it. */
export async function registrationOf(options: unknown): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return unlessCancelled(startRegistration({ optionsJSON }));
}

async function unlessCancelled(asking: Promise<unknown>): Promise<unknown> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return undefined;
    throw error;
  }
}

/** Returns whether an answer holds options for `navigator.credentials.get`. */
export function isOptions(value: unknown): value is PublicKeyCredentialRequestOptionsJSON {
  return typeof value === 'object' && value !== null && 'challenge' in value && typeof value.challenge === 'string';
}
