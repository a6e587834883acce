import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { documentOf, field } from '../../input/input-kinds.ts';
import { idOf } from '../example-ids.ts';
import { CHANGE } from '../record-access.ts';
import { savedObjectRoutes } from './saved-object-routes.ts';
import type { ViewService } from './view-service.ts';

const text = field(Type.String());
const optional = Type.Optional(text);

/** Registers `/api/v1/view`: saved queries. */
export const viewRoutes =
  (views: ViewService): RouteModule =>
  (app) => {
    savedObjectRoutes({
      objects: views,
      one: 'a view',
      listSummary: 'List the views that the caller may use',
      changeSummary: 'Change a view',
      newBody: documentOf(
        { title: text, query: text, type: text },
        { examples: [{ title: 'Open alerts', query: 'howler.status:open', type: 'personal' }] },
      ),
      changeBody: documentOf(
        { title: optional, query: optional, type: optional },
        { examples: [{ title: 'Open alerts of my team' }] },
      ),
      parameter: 'view_id',
    })(app);

    const path = '/api/v1/view/:view_id/favourite';
    const schema = { tags: ['view'], params: pathParameters({ view_id: idOf('view') }) };
    app.post(
      path,
      { access: CHANGE, schema: { ...schema, summary: 'Mark a view as favourite' } },
      ({ actor, params }) => views.addFavourite(actor, params.view_id),
    );
    app.delete(
      path,
      { access: CHANGE, schema: { ...schema, summary: 'Take a view from the favourites', response: NO_CONTENT } },
      ({ actor, params }) => views.removeFavourite(actor, params.view_id),
    );
  };
