import { InvalidInput } from '../errors/errors.ts';
import type { ProviderAnswer } from '../identity/oauth/provider-answer.ts';

/** What a login through an identity provider may send, as JSON, form or query. Empty texts and null count as missing. */
export interface LoginArguments {
  /** Name of the identity provider. */
  readonly provider: string | undefined;
  readonly refreshToken: string | undefined;
  /** Made up by the page. */
  readonly nonce: string | undefined;
  readonly answer: ProviderAnswer;
}

/**
 * `provider` and `oauth_provider` mean the same (contract/alert.md section 2.2, enrichment.md 1.4).
 * @throws InvalidInput `wrong_argument_kind`
 */
export function readLoginArguments(given: Readonly<Record<string, unknown>>): LoginArguments {
  return {
    provider: textArgument(given, 'provider') ?? textArgument(given, 'oauth_provider'),
    refreshToken: textArgument(given, 'refresh_token'),
    nonce: textArgument(given, 'nonce'),
    answer: {
      code: textArgument(given, 'code'),
      state: textArgument(given, 'state'),
      iss: textArgument(given, 'iss'),
      error: textArgument(given, 'error'),
      error_description: textArgument(given, 'error_description'),
    },
  };
}

/** A member of what was sent; undefined when it is missing, null or empty. @throws InvalidInput `wrong_argument_kind` */
export function textArgument(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new InvalidInput('wrong_argument_kind', `The argument ${name} must be a string.`, { at: name });
}
