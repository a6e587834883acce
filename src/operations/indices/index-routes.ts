import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import { nullable } from '../../input/nullable.ts';
import { CHANGE, READ } from '../operations-access.ts';
import type { IndexOverview } from './index-overview.ts';

export interface IndexRouteDependencies {
  readonly overview: Pick<IndexOverview, 'read' | 'beginGeneration'>;
  readonly auditLog: AuditLog;
}

const tags = ['indices'];
const figures = {
  documents: Type.Integer(),
  bytes: Type.Integer({ description: 'On disk, with all copies.' }),
};
const Index = Type.Object(
  {
    index: Type.String(),
    generation: nullable(Type.Integer(), { description: 'Null: it is no generation.' }),
    phase: Type.String({
      enum: ['writes', 'older', 'warm', 'cold', 'legacy', 'no alias'],
      description:
        '`writes`: takes the new documents. `legacy`: unused, from before the lifecycle. `no alias`: may hold the only documents.',
    }),
    ...figures,
    created_at: Type.String(),
    write_blocked: Type.Boolean(),
  },
  { title: 'Index' },
);
const Collection = Type.Object(
  {
    collection: Type.String(),
    description: Type.String(),
    has_generations: Type.Boolean({ description: 'True: a new generation can be begun.' }),
    ...figures,
    indices: Type.Array(Index),
  },
  { title: 'Collection' },
);
const Indices = Type.Object({
  collections: Type.Array(Collection),
  ...figures,
  free_bytes: nullable(Type.Integer(), {
    description: 'Free space where the indices lie; null: the engine does not report it.',
  }),
});

/** Serves the indices of all collections. */
export const indexRoutes =
  ({ overview, auditLog }: IndexRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/indices',
      { access: READ, schema: { tags, summary: 'List the indices of all collections', response: { 200: Indices } } },
      () => overview.read(),
    );

    app.post(
      '/v1/indices/:collection/generations',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Begin a generation of a collection',
          description: 'New documents go to a new index from now on. The job `lifecycle` does it by age and size.',
          params: pathParameters({ collection: ['Name of the collection.', 'hit'] }),
          response: { 201: Type.Object({ index: Type.String() }) },
          refusals: [409],
        },
      },
      async (request) => {
        const { collection } = request.params;
        const index = await overview.beginGeneration(collection);
        auditLog.write({ ...auditOrigin(request, 'operations'), event: 'generation_begun', target: collection });
        return { index };
      },
    );
  };
