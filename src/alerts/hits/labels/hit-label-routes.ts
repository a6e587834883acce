import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Hit } from '../../../documents/kinds/hit.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { readRefresh } from '../../refresh-argument.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitLabels } from './hit-labels.ts';

interface BySet {
  Params: { id: string; label_set: string };
}

const { tags } = schemas;
const querystring = schemas.RefreshQuery;
const body = schemas.LabelsBody;
const response = { 200: schemas.HitReply };

/** `/api/v1/hit/<id>/labels/<set>`: labels of an alert. */
export const hitLabelRoutes =
  ({ labels }: { labels: HitLabels }): RouteModule =>
  (app) => {
    app.put<BySet>(
      '/api/v1/hit/:id/labels/:label_set',
      { access: schemas.WRITE, schema: { tags, summary: 'Add labels', querystring, body, response } },
      (request, reply) => changeLabels(request, reply, labels.add.bind(labels)),
    );

    app.delete<BySet>(
      '/api/v1/hit/:id/labels/:label_set',
      { access: schemas.WRITE, schema: { tags, summary: 'Remove labels', querystring, body, response } },
      (request, reply) => changeLabels(request, reply, labels.remove.bind(labels)),
    );
  };

async function changeLabels(
  { actor, params, body: given, query }: FastifyRequest<BySet>,
  reply: FastifyReply,
  change: HitLabels['add'],
): Promise<Hit> {
  return withVersion(reply, await change(actor, params.id, params.label_set, given, readRefresh(query)));
}
