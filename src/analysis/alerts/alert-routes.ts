import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { listOf, text } from '../../input/input-kinds.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import { AlertPageQuery, AlertSelectionQuery } from './alert-query.ts';
import { type AlertService, shown } from './alert-service.ts';

const VIEW: GuardedAccess = { ...ANYONE, quota: true, roles: ['alert_view'], audit: true };
export const ById = pathParameters({ alert_id: ['Identifier of the alert.', EXAMPLE_IDS.alert] });
const ByField = pathParameters({ field: ['Path of a field with one value.', 'file.sha256'] });
const Counts = Type.Record(Type.String(), Type.Integer());
const Page = Type.Object({
  items: Type.Array(Anything),
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
});
const GroupedPage = Type.Object({ ...Page.properties, counted_total: Type.Integer(), tc_start: Type.String() });
const RelatedQuery = Type.Object({
  ...AlertSelectionQuery.properties,
  q: Type.Optional(text({ description: 'Lucene query of the alerts.', examples: ['alert_id:*'] })),
  fq: Type.Optional(listOf(Type.String(), { description: 'Further queries that the alerts match.', maxItems: 100 })),
});

/** Serves what shows alerts (contract/analysis.md section 6, alert). */
export const alertRoutes =
  ({ alerts }: { readonly alerts: AlertService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/alert/:alert_id/',
      { access: VIEW, schema: operation('alert_get_alert', 'Get an alert', { params: ById, reply: Anything }) },
      async ({ actor, params: { alert_id: id } }) => {
        const alert = await alerts.get(id, actor.searchAccess);
        if (alert === undefined) throw new NotFound('alert_missing', 'This alert does not exists...');
        return shown(alert);
      },
    );
    app.get(
      '/api/v4/alert/list/',
      {
        access: VIEW,
        schema: operation('alert_list_alerts', 'List alerts', { querystring: AlertPageQuery, reply: Page }),
      },
      ({ actor, query }) => alerts.list(query, actor.searchAccess),
    );
    app.get(
      '/api/v4/alert/grouped/:field/',
      {
        access: VIEW,
        schema: operation('alert_list_grouped_alerts', 'List the newest alert of each value of a field', {
          params: ByField,
          querystring: AlertPageQuery,
          reply: GroupedPage,
        }),
      },
      ({ actor, query, params: { field } }) => alerts.grouped(field, query, actor.searchAccess),
    );
    app.get(
      '/api/v4/alert/statistics/',
      {
        access: VIEW,
        schema: operation('alert_alerts_statistics', 'Count the values that people look at', {
          querystring: AlertSelectionQuery,
          reply: Type.Record(Type.String(), Counts),
        }),
      },
      ({ actor, query }) => alerts.statistics(query, actor.searchAccess),
    );
    for (const [path, name, field] of [
      ['labels', 'Count the labels of alerts', 'label'],
      ['priorities', 'Count the priorities of alerts', 'priority'],
      ['statuses', 'Count the states of alerts', 'status'],
    ] as const) {
      app.get(
        `/api/v4/alert/${path}/`,
        {
          access: VIEW,
          schema: operation(`alert_alerts_${path}`, name, { querystring: AlertSelectionQuery, reply: Counts }),
        },
        ({ actor, query }) => alerts.values(field, query, actor.searchAccess),
      );
    }
    app.get(
      '/api/v4/alert/related/',
      {
        access: VIEW,
        schema: operation('alert_find_related_alert_ids', 'List the identifiers of all alerts of a query', {
          querystring: RelatedQuery,
          reply: Type.Array(Type.String()),
        }),
      },
      ({ actor, query }) => alerts.related(query, actor.searchAccess),
    );
  };
