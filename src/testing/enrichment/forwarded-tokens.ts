import type { CredentialsForSources } from '../../enrichment/sources/call-context.ts';
import { SourceFailure } from '../../enrichment/sources/source-failure.ts';

/** For tests: sends tokens of providers to sources without an exchange, and nothing of other callers. */
export const FORWARDED_TOKENS: CredentialsForSources = {
  async tokenFor({ oboTarget }, _actor, credential) {
    if (oboTarget !== undefined) throw new SourceFailure('refused', 'Invalid token provided for this enrichment.');
    return credential.kind === 'provider_token' ? { token: credential.token } : {};
  },
};
