import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { startServer } from '../servers/start-server.ts';
import { makeKeycloakRealm } from './keycloak-realm.ts';
import { testProvider } from './provider-suite.ts';

testProvider({
  name: 'Keycloak',
  unavailable: outsideServer('keycloak').unavailable,
  async start() {
    // One of its own: it is stopped here.
    const server = await startServer('keycloak');
    const realm = await makeKeycloakRealm(server.url);
    return {
      ...realm,
      async allowPages(pages) {
        for (const origin of new Set(pages.map((page) => new URL(page).origin))) await realm.allowRedirects(origin);
      },
      stop: () => server.stop(),
      start: () => server.start(),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});
