import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { classificationDefinition } from './classification-definition.ts';

/** `/api/v1/help`: what a client has to know of the installation. */
export const helpRoutes =
  ({ classification }: { classification: ClassificationEngine }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/help/classification_definition',
      {
        access: { privileges: ['E'], roles: ['admin', 'user'] },
        schema: {
          tags: ['help'],
          summary: 'The classifications of this installation',
          response: { 200: Type.Record(Type.String(), Type.Unknown()) },
        },
      },
      async () => classificationDefinition(classification),
    );
  };
