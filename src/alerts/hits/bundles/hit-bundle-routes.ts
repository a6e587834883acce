import type { FastifyReply } from 'fastify';
import { RefreshQuery as querystring } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { WRITE_UNAUDITED as access } from '../../record-access.ts';
import { BundleBody, BundleReply, ById, IdsBody } from '../hit-schemas.ts';
import { BUNDLES_DEPRECATED, type Bundle, type HitBundles } from './hit-bundles.ts';

const schema = { deprecated: true, querystring };
const ofBundle = { ...schema, params: ById, body: IdsBody, response: { 200: BundleReply } };
/** Day after which the routes may be gone. */
const SUNSET = '2027-01-01';

/** `/api/v1/hit/bundle`: deprecated in favour of cases. */
export const hitBundleRoutes =
  ({ bundles }: { bundles: HitBundles }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/bundle',
      {
        access,
        schema: {
          ...schema,
          summary: 'Create an alert that stands for others',
          body: BundleBody,
          response: { 201: BundleReply },
          refusals: [404],
        },
      },
      async ({ actor, body, query }, reply) =>
        answer(reply, await bundles.create(actor, body.bundle, body.hits, query.refresh)),
    );

    app.put(
      '/api/v1/hit/bundle/:id',
      { access, schema: { ...ofBundle, summary: 'Add alerts to a bundle' } },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.add(actor, params.id, body, query.refresh)),
    );

    app.delete(
      '/api/v1/hit/bundle/:id',
      { access, schema: { ...ofBundle, summary: 'Remove alerts from a bundle; `["*"]` removes all' } },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.remove(actor, params.id, body, query.refresh)),
    );
  };

/** Returns the root alert in the shape that bundles had when they were stored in alerts. */
function answer(reply: FastifyReply, { root, caseId, childIds, warnings }: Bundle): Record<string, unknown> {
  reply.header('deprecation', 'true').header('sunset', SUNSET);
  const howler = { ...root.howler, is_bundle: childIds.length > 0, hits: childIds, bundle_size: childIds.length };
  return {
    ...root,
    howler,
    _case_id: caseId,
    _deprecation: BUNDLES_DEPRECATED,
    ...(warnings.length === 0 ? {} : { _warnings: warnings }),
  };
}
