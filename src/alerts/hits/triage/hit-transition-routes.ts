import { pythonRepr, pythonText } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import { objectBody } from '../../../http/object-body.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { readRefresh } from '../../refresh-argument.ts';
import { withVersion } from '../hit-routes.ts';
import type { ById } from '../hit-schemas.ts';
import * as schemas from '../hit-schemas.ts';
import { type HitTriage, readTransitionData } from './hit-triage.ts';
import { isTransition, TRANSITIONS } from './triage-transitions.ts';

const { tags } = schemas;

/** `/api/v1/hit/<id>/transition`: triage. The only route that takes `If-Match` as the version to change. */
export const hitTransitionRoutes =
  ({ triage }: { triage: HitTriage }): RouteModule =>
  (app) => {
    app.post<ById>(
      '/api/v1/hit/:id/transition',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Move an alert through triage',
          querystring: schemas.RefreshQuery,
          body: schemas.TransitionBody,
          response: { 200: schemas.HitReply },
        },
      },
      async ({ actor, params, body, query, headers }, reply) => {
        const visible = readRefresh(query);
        const { transition, data } = objectBody(body);
        if (transition === undefined) {
          throw new InvalidInput('transition_missing', 'The body must name a transition.', { at: 'transition' });
        }
        if (!isTransition(transition)) {
          const message = `Transition '${pythonText(transition)}' not supported. Please use one of the following: ${pythonRepr(TRANSITIONS)}`;
          // Clients of the public system read the text from the response.
          throw new InvalidInput('unknown_transition', message, { at: 'transition', response: message });
        }
        const ifMatch = headers['if-match'] || undefined;
        const changed = await triage.transition(actor, params.id, transition, readTransitionData(data), {
          ifMatch,
          visible,
        });
        return withVersion(reply, changed);
      },
    );
  };
