import { RefreshQuery } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitTriage } from './hit-triage.ts';

/** `/api/v1/hit/<id>/transition`: triage. The only route that takes `If-Match` as the version to change. */
export const hitTransitionRoutes =
  ({ triage }: { triage: HitTriage }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/:id/transition',
      {
        access: schemas.WRITE,
        schema: {
          tags: schemas.tags,
          summary: 'Move an alert through triage',
          params: schemas.ById,
          querystring: RefreshQuery,
          body: schemas.TransitionBody,
          response: { 200: schemas.HitReply },
        },
      },
      async ({ actor, params, body, query, headers }, reply) => {
        const options = { ifMatch: headers['if-match'] || undefined, visible: query.refresh };
        return withVersion(reply, await triage.transition(actor, params.id, body.transition, body.data, options));
      },
    );
  };
