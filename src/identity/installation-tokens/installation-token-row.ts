import type { ServiceName } from '../actor.ts';
import { type CredentialRow, credentialRow } from '../authenticator.ts';
import { readJsonWebToken } from '../credential-rows.ts';
import { type InstallationTokens, looksLikeInstallationToken } from './installation-tokens.ts';

/** Returns the row of `Bearer` with a token of the installation, which precedes that of providers. */
export function installationTokenRow(tokens: Pick<InstallationTokens, 'verify'>, service: ServiceName): CredentialRow {
  return credentialRow<string>({
    read: (presented) => {
      const token = readJsonWebToken(presented.header('authorization'));
      return token !== undefined && looksLikeInstallationToken(token) ? token : undefined;
    },
    claim: () => ({ method: 'on_behalf_of' }),
    verify: (token) => tokens.verify(token, service),
  });
}
