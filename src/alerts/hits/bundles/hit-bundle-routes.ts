import type { FastifyReply } from 'fastify';
import { RefreshQuery as querystring } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import * as schemas from '../hit-schemas.ts';
import { BUNDLES_DEPRECATED, type Bundle, type HitBundles } from './hit-bundles.ts';

const { tags, ById: params } = schemas;
const response = { 200: schemas.BundleReply };
/** Day after which the routes may be gone. */
const SUNSET = '2027-01-01';

/** `/api/v1/hit/bundle`: deprecated, cases take their place. */
export const hitBundleRoutes =
  ({ bundles }: { bundles: HitBundles }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/bundle',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          deprecated: true,
          summary: 'Create an alert that stands for others',
          querystring,
          body: schemas.BundleBody,
          response: { 201: schemas.BundleReply },
        },
      },
      async ({ actor, body, query }, reply) =>
        answer(reply, await bundles.create(actor, body.bundle, body.hits, query.refresh)),
    );

    app.put(
      '/api/v1/hit/bundle/:id',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          deprecated: true,
          summary: 'Add alerts to a bundle',
          params,
          querystring,
          body: schemas.IdsBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.add(actor, params.id, body, query.refresh)),
    );

    app.delete(
      '/api/v1/hit/bundle/:id',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          deprecated: true,
          summary: 'Remove alerts from a bundle; `["*"]` removes all',
          params,
          querystring,
          body: schemas.IdsBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.remove(actor, params.id, body, query.refresh)),
    );
  };

/** The root alert in the shape that bundles had when they were stored in alerts. */
function answer(reply: FastifyReply, { root, caseId, childIds, warnings }: Bundle): Record<string, unknown> {
  reply.header('deprecation', 'true').header('sunset', SUNSET);
  const howler = {
    ...root.howler,
    is_bundle: childIds.length > 0,
    hits: childIds,
    bundle_size: childIds.length,
  };
  return {
    ...root,
    howler,
    _case_id: caseId,
    _deprecation: BUNDLES_DEPRECATED,
    ...(warnings.length === 0 ? {} : { _warnings: warnings }),
  };
}
