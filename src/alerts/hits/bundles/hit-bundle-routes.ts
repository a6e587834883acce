import type { FastifyReply } from 'fastify';
import { InvalidInput } from '../../../errors/errors.ts';
import { objectBody, textListBody } from '../../../http/object-body.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { readRefresh } from '../../refresh-argument.ts';
import type { ById } from '../hit-schemas.ts';
import * as schemas from '../hit-schemas.ts';
import { BUNDLES_DEPRECATED, type Bundle, type HitBundles } from './hit-bundles.ts';

const { tags } = schemas;
const querystring = schemas.RefreshQuery;
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
      async ({ actor, body, query }, reply) => {
        const visible = readRefresh(query);
        const { bundle, hits } = objectBody(body);
        if (bundle === undefined || bundle === null) {
          throw new InvalidInput('bundle_not_sent', 'You did not provide a bundle hit.', { at: 'bundle' });
        }
        if (hits === undefined || hits === null || (Array.isArray(hits) && hits.length === 0)) {
          throw new InvalidInput('children_not_sent', 'You did not provide any child hits.', { at: 'hits' });
        }
        return answer(reply, await bundles.create(actor, bundle, textListBody(hits), visible));
      },
    );

    app.put<ById>(
      '/api/v1/hit/bundle/:id',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          deprecated: true,
          summary: 'Add alerts to a bundle',
          querystring,
          body: schemas.IdsBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.add(actor, params.id, textListBody(body), readRefresh(query))),
    );

    app.delete<ById>(
      '/api/v1/hit/bundle/:id',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          deprecated: true,
          summary: 'Remove alerts from a bundle; `["*"]` removes all',
          querystring,
          body: schemas.IdsBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) =>
        answer(reply, await bundles.remove(actor, params.id, textListBody(body), readRefresh(query))),
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
