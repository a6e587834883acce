import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { isTriadError, type TriadError, Unauthenticated } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import { providerUnavailable } from './provider-document.ts';

const MAX_MESSAGE_LENGTH = 200;
/** Error codes of openid-client for a missing or malformed response. */
const NO_ANSWER: readonly string[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];
/** Refusals of the client instead of the user (RFC 6749 section 5.2): the settings are wrong. */
const OWN_FAULTS: readonly string[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

/** Converts a request error: a refusal (401), an untrusted answer (401, reason in the log), none (503). */
export function providerFailure(error: unknown, provider: string, log: IdentityLog): TriadError {
  if (isTriadError(error)) return error;
  const answer = refusalOf(error);
  if (answer !== undefined && !(error instanceof ResponseBodyError && error.status >= 500)) {
    const { refusal, description } = answer;
    const entry = { provider, refusal, description };
    if (OWN_FAULTS.includes(refusal))
      log.error(entry, `the provider ${provider} refuses the client of this installation`);
    else log.info(entry, `the provider ${provider} refused`);
    return refused(refusal, description, error);
  }
  if (error instanceof AuthorizationResponseError) return refused(error.error, error.error_description, error);
  const status = error instanceof ResponseBodyError ? error.status : statusOf(error);
  // Errors of the library without a code are those that it does not know, such as a closed connection.
  const isAnswer = error instanceof ClientError && error.code !== undefined && !NO_ANSWER.includes(error.code);
  if (isAnswer && (status === undefined || status < 500)) {
    log.warn({ provider, err: error }, `an answer of the provider ${provider} cannot be trusted: ${error.message}`);
    const message = 'The answer of the identity provider is not good. Start the login again.';
    return new Unauthenticated('provider_answer_refused', message, { cause: error });
  }
  log.warn({ provider, err: error }, `the provider ${provider} does not answer`);
  return providerUnavailable(provider, error);
}

/** Returns the refusal of a provider (RFC 6749 section 5.2), if any: in the body, or in a challenge. */
export function refusalOf(
  error: unknown,
): { readonly refusal: string; readonly description: string | undefined } | undefined {
  if (error instanceof ResponseBodyError) return { refusal: error.error, description: error.error_description };
  if (!(error instanceof WWWAuthenticateChallengeError)) return undefined;
  const challenge = error.cause.find(({ parameters }) => parameters.error !== undefined)?.parameters;
  return { refusal: challenge?.error ?? 'invalid_client', description: challenge?.error_description };
}

/** Returns a refusal of the provider, in printable characters. */
export function refused(error: string, description: string | undefined, cause?: unknown): Unauthenticated {
  const refusal = description === undefined ? error : `${error}: ${description}`;
  const printable = refusal.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return new Unauthenticated('provider_refused', printable, { cause });
}

function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : undefined;
}
