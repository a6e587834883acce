import { RefreshQuery } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { WRITE_UNAUDITED as access } from '../../record-access.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitStore } from '../hit-store.ts';
import { applyTransition } from './hit-triage.ts';
import { restoreTriage, TriageStateBody } from './triage-restore.ts';

const shared = { params: schemas.ById, querystring: RefreshQuery, response: { 200: schemas.HitReply } };

/** `/api/v1/hit/<id>/transition` and `/triage`: the only routes that heed `If-Match` when they write. */
export const hitTriageRoutes =
  ({ store }: { store: HitStore }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/:id/transition',
      { access, schema: { ...shared, summary: 'Move an alert through triage', body: schemas.TransitionBody } },
      async ({ actor, params, body, query, headers }, reply) => {
        const options = { ifMatch: headers['if-match'] || undefined, visible: query.refresh };
        return withVersion(reply, await applyTransition(store, actor, params.id, body.transition, body.data, options));
      },
    );

    app.put(
      '/api/v1/hit/:id/triage',
      {
        access,
        schema: { ...shared, summary: 'Put the triage of an alert back to a former state', body: TriageStateBody },
      },
      async ({ actor, params, body, query, headers }, reply) => {
        const options = { ifMatch: headers['if-match'] || undefined, visible: query.refresh };
        return withVersion(reply, await restoreTriage(store, actor, params.id, body, options));
      },
    );
  };
