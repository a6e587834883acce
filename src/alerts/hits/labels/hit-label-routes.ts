import { deferred, pathParameters, RefreshQuery } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitLabels } from './hit-labels.ts';

const shared = {
  tags: schemas.tags,
  params: pathParameters('id', 'label_set'),
  querystring: RefreshQuery,
  body: deferred(schemas.LabelsBody),
  response: { 200: schemas.HitReply },
};

/** `/api/v1/hit/<id>/labels/<set>`: labels of an alert. */
export const hitLabelRoutes =
  ({ labels }: { labels: HitLabels }): RouteModule =>
  (app) => {
    app.put(
      '/api/v1/hit/:id/labels/:label_set',
      { access: schemas.WRITE, schema: { ...shared, summary: 'Add labels' } },
      async ({ actor, params, body, query }, reply) =>
        withVersion(reply, await labels.add(actor, params.id, params.label_set, () => body().value, query.refresh)),
    );

    app.delete(
      '/api/v1/hit/:id/labels/:label_set',
      { access: schemas.WRITE, schema: { ...shared, summary: 'Remove labels' } },
      async ({ actor, params, body, query }, reply) =>
        withVersion(reply, await labels.remove(actor, params.id, params.label_set, () => body().value, query.refresh)),
    );
  };
