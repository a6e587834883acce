import { InvalidInput } from '../../errors/errors.ts';

/** What a login at the enrichment service may be asked with; empty texts count as missing. */
export interface LoginArguments {
  /** Name of the identity provider. */
  readonly provider: string | undefined;
  readonly refreshToken: string | undefined;
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** RFC 9207 */
  readonly iss: string | undefined;
  readonly error: string | undefined;
  readonly errorDescription: string | undefined;
}

/**
 * Contract/enrichment.md section 1.4: `provider` and `oauth_provider` mean the same.
 * @throws InvalidInput `wrong_argument_kind`
 */
export function readLoginArguments(given: Readonly<Record<string, unknown>>): LoginArguments {
  return {
    provider: textOf(given, 'provider') ?? textOf(given, 'oauth_provider'),
    refreshToken: textOf(given, 'refresh_token'),
    code: textOf(given, 'code'),
    state: textOf(given, 'state'),
    nonce: textOf(given, 'nonce'),
    iss: textOf(given, 'iss'),
    error: textOf(given, 'error'),
    errorDescription: textOf(given, 'error_description'),
  };
}

function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new InvalidInput('wrong_argument_kind', `The argument ${name} must be a text.`, { at: name });
}
