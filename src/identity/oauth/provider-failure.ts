import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { isTriadError, type TriadError, Unauthenticated } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import { providerUnavailable } from './provider-document.ts';

const MAX_TOLD = 200;
/** Of openid-client: the provider did not answer, or with something that is not an answer. */
const NO_ANSWER: readonly string[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];
/** RFC 6749 section 5.2: not the user is refused but the client, so the settings are wrong. */
const OWN_FAULTS: readonly string[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

/**
 * What a caller is told when a request to a provider went wrong: what the provider said (`<error>: <description>`, 401), that its answer is not to be
 * trusted (401, the reason is in the log), or that it does not answer (503).
 */
export function providerFailure(error: unknown, provider: string, log: IdentityLog): TriadError {
  if (isTriadError(error)) return error;
  const said = refusalOf(error);
  if (said !== undefined && !(error instanceof ResponseBodyError && error.status >= 500)) {
    const { refusal, description } = said;
    const entry = { provider, refusal, description };
    if (OWN_FAULTS.includes(refusal))
      log.error(entry, `the provider ${provider} refuses the client of this installation`);
    else log.info(entry, `the provider ${provider} refused`);
    return refused(refusal, description, error);
  }
  if (error instanceof AuthorizationResponseError) return refused(error.error, error.error_description, error);
  const status = error instanceof ResponseBodyError ? error.status : statusOf(error);
  // The library gives no code to what it does not know, like a connection that ends.
  const isAnswer = error instanceof ClientError && error.code !== undefined && !NO_ANSWER.includes(error.code);
  if (isAnswer && (status === undefined || status < 500)) {
    log.warn({ provider, err: error }, `an answer of the provider ${provider} cannot be trusted: ${error.message}`);
    return new Unauthenticated(
      'provider_answer_refused',
      'The answer of the identity provider is not good. Start the login again.',
      { cause: error },
    );
  }
  log.warn({ provider, err: error }, `the provider ${provider} does not answer`);
  return providerUnavailable(provider, error);
}

/**
 * What a provider said instead of giving a token (RFC 6749 section 5.2): in the body, or in a challenge, which is how most tell that they do not know
 * the client or its secret. Undefined when it said nothing of the kind.
 */
export function refusalOf(
  error: unknown,
): { readonly refusal: string; readonly description: string | undefined } | undefined {
  if (error instanceof ResponseBodyError) return { refusal: error.error, description: error.error_description };
  if (!(error instanceof WWWAuthenticateChallengeError)) return undefined;
  const challenge = error.cause.find(({ parameters }) => parameters.error !== undefined)?.parameters;
  return { refusal: challenge?.error ?? 'invalid_client', description: challenge?.error_description };
}

/** What a provider says is shown as text, so it has to be one. */
export function refused(error: string, description: string | undefined, cause?: unknown): Unauthenticated {
  const told = description === undefined ? error : `${error}: ${description}`;
  const printable = told.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, MAX_TOLD);
  return new Unauthenticated('provider_refused', printable, { cause });
}

function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : undefined;
}
