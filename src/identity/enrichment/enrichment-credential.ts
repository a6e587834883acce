import { InvalidInput, Unauthenticated } from '../../errors/errors.ts';
import { readBasic, splitAuthorization } from '../credentials.ts';

/** What the header `Authorization` of a request to the enrichment service says, not yet verified. */
export type EnrichmentCredential =
  /** A configured key: its name, not that of a user. */
  | { readonly kind: 'service_key'; readonly name: string; readonly secret: string }
  | { readonly kind: 'access_token'; readonly token: string };

/**
 * Contract/enrichment.md section 1.3.
 * @throws Unauthenticated `no_credentials`; InvalidInput `malformed_authorization`, `unknown_authorization_scheme`
 */
export function readEnrichmentCredential(header: string | undefined): EnrichmentCredential {
  if (header === undefined || header === '') {
    throw new Unauthenticated('no_credentials', 'No Authorization header present');
  }
  const { scheme, data } = splitAuthorization(header);
  if (scheme === 'Basic') {
    const { username, rest } = readBasic(data);
    return { kind: 'service_key', name: username, secret: rest };
  }
  if (scheme !== 'Bearer') {
    throw new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.');
  }
  if (!data.includes('.')) {
    throw new InvalidInput('malformed_authorization', 'Internal bearer auth is not yet supported.');
  }
  return { kind: 'access_token', token: data };
}
