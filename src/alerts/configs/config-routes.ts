import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { type BootDocumentParts, bootDocument } from './boot-document.ts';

const Anything = Type.Record(Type.String(), Type.Unknown());
const BootReply = Type.Object({
  lookups: Anything,
  configuration: Anything,
  c12nDef: Anything,
  indexes: Anything,
});

/** `/api/v1/configs`: what the web interface reads at its start, before anybody logs in. */
export function configRoutes(parts: BootDocumentParts): RouteModule {
  const document = bootDocument(parts);
  return (app) => {
    app.get(
      '/api/v1/configs/',
      {
        access: 'public',
        schema: { tags: ['configs'], summary: 'What the web interface has to know', response: { 200: BootReply } },
      },
      async () => document,
    );
  };
}
