import { Type } from 'typebox';
import type { RouteModule } from './route-access.ts';

const PATH = '/.well-known/jwks.json';

const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ examples: ['EC'] }),
        crv: Type.String({ examples: ['P-256'] }),
        x: Type.String(),
        y: Type.String(),
        kid: Type.String({ description: 'Identifier of the key, in the header of a token.' }),
        alg: Type.String({ examples: ['ES256'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { description: 'Key set in the format of RFC 7517.' },
);

/** Serves the public keys with which plugins and other services verify tokens of this installation. */
export const keySetRoutes =
  (keys: { keySet(): Promise<{ readonly keys: readonly object[] }> }): RouteModule =>
  (app) => {
    app.get(
      PATH,
      {
        access: 'public',
        envelope: false,
        schema: { tags: ['auth'], summary: 'Read the public keys of this installation', response: { 200: KeySet } },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=60');
        return keys.keySet();
      },
    );
  };
