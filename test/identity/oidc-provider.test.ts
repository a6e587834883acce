import { startIdentityProvider } from '../../src/testing/identity/identity-provider.ts';
import { testProvider } from './provider-suite.ts';

testProvider({
  name: 'oidc-provider, in process',
  unavailable: undefined,
  async start() {
    const provider = await startIdentityProvider();
    return { ...provider, allowPages: async (pages) => provider.allowRedirects(pages) };
  },
});
