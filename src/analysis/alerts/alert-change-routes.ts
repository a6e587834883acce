import { type TUnsafe, Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { converted, field, refusing } from '../../input/input-kinds.ts';
import { ANYONE, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import { type AlertChange, type AlertChanges, readLabels, readPriority, readStatus } from './alert-changes.ts';
import { AlertSelectionQuery } from './alert-query.ts';
import { ById } from './alert-routes.ts';

const MANAGE: GuardedAccess = { ...ANYONE, quota: true, roles: ['alert_manage'], audit: true, readOnly: false };
const FAILURE = { success: false };
const Changed = Type.Object({ success: Type.Integer({ description: 'Alerts that were changed.' }) });
const ByVerdict = pathParameters({
  alert_id: ['Identifier of the alert.', EXAMPLE_IDS.alert],
  verdict: ['`malicious` or `non_malicious`.', 'malicious'],
});

const LabelList = field(Type.Array(Type.String(), { description: 'Labels.', examples: [['PHISHING']] }));
// The readers refuse in the words that clients know.
const AddedLabels = converted(LabelList, (value): AlertChange => ({ labels: readLabels(value) }));
const RemovedLabels = converted(LabelList, (value): AlertChange => ({ removedLabels: readLabels(value) }));
const Priority = converted(
  field(Type.String({ description: 'LOW, MEDIUM, HIGH or CRITICAL.', examples: ['HIGH'] })),
  (value): AlertChange => ({ priority: readPriority(value) }),
);
const Status = converted(
  field(Type.String({ description: 'MALICIOUS, NON-MALICIOUS, ASSESS or TRIAGE.', examples: ['TRIAGE'] })),
  (value): AlertChange => ({ status: readStatus(value) }),
);
/** Members that are false or empty change nothing. */
const All = converted(
  refusing(
    Type.Object(
      {
        status: Type.Optional(field(Type.String())),
        priority: Type.Optional(field(Type.String())),
        labels: Type.Optional(field(Type.Array(Type.String()))),
        removed_labels: Type.Optional(field(Type.Array(Type.String()))),
      },
      { examples: [{ status: 'TRIAGE', priority: 'HIGH', labels: ['PHISHING'] }] },
    ),
    () => new InvalidInput('invalid_body', 'Invalid data format', { response: FAILURE }),
  ),
  ({ status, priority, labels, removed_labels: removed }): AlertChange => ({
    ...(status ? { status: readStatus(status) } : {}),
    ...(priority ? { priority: readPriority(priority) } : {}),
    ...(labels ? { labels: readLabels(labels) } : {}),
    ...(removed ? { removedLabels: readLabels(removed) } : {}),
  }),
);

/** Serves what changes alerts, one by one and all of a query (contract/analysis.md section 6, alert). */
export const alertChangeRoutes =
  ({ changes }: { readonly changes: AlertChanges }): RouteModule =>
  (app) => {
    const kinds = [
      ['post', 'label', 'add_labels', 'Add labels', AddedLabels],
      ['delete', 'label', 'remove_labels', 'Take labels off', RemovedLabels],
      ['post', 'priority', 'change_priority', 'Set the priority', Priority],
      ['post', 'status', 'change_status', 'Set the status', Status],
    ] as const;
    for (const [method, path, name, summary, body] of kinds) {
      app[method](
        `/api/v4/alert/${path}/:alert_id/`,
        {
          access: MANAGE,
          schema: operation(`alert_${name}`, `${summary} of an alert`, { params: ById, body, reply: Success }),
          refusal: FAILURE,
        },
        (request) => changes.change(request.actor, request.params.alert_id, request.body),
      );
      serveBatch(method, path, `${name}_by_batch`, `${summary} of all alerts of a query`, body);
    }
    serveBatch('post', 'all', 'run_workflow_by_batch', 'Change all alerts of a query', All);
    app.post(
      '/api/v4/alert/all/:alert_id/',
      {
        access: MANAGE,
        schema: operation('alert_run_workflow', 'Change several members of an alert', {
          description: 'Always refused, as by the public system. Change the members one by one, or send a batch.',
          params: ById,
          body: All,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      async ({ params: { alert_id: id } }) => {
        const message = `Several members of one alert are not changed at once. Send them to /api/v4/alert/all/batch/?q=alert_id:${id}, or one by one.`;
        throw new InvalidInput('single_alert_refused', message, { response: FAILURE });
      },
    );

    app.get(
      '/api/v4/alert/ownership/:alert_id/',
      {
        access: MANAGE,
        schema: operation('alert_take_ownership', 'Become the owner of an alert', { params: ById, reply: Success }),
        refusal: FAILURE,
      },
      ({ actor, params: { alert_id: id } }) => changes.own(actor, id),
    );
    app.get(
      '/api/v4/alert/ownership/batch/',
      {
        access: MANAGE,
        schema: operation('alert_take_ownership_by_batch', 'Become the owner of all alerts of a query without one', {
          querystring: AlertSelectionQuery,
          reply: Changed,
        }),
      },
      async ({ actor, query }) => ({ success: await changes.ownAll(actor, query) }),
    );
    app.put(
      '/api/v4/alert/verdict/:alert_id/:verdict/',
      {
        access: { ...MANAGE, audit: false, xsrf: false, readOnly: true },
        schema: operation('alert_set_verdict', 'Say what an alert is about', { params: ByVerdict, reply: Success }),
        refusal: FAILURE,
      },
      ({ actor, params: { alert_id: id, verdict } }) => changes.judge(actor, id, verdict),
    );

    function serveBatch(
      method: 'post' | 'delete',
      path: string,
      name: string,
      summary: string,
      body: TUnsafe<AlertChange>,
    ): void {
      app[method](
        `/api/v4/alert/${path}/batch/`,
        {
          access: MANAGE,
          schema: operation(`alert_${name}`, summary, { querystring: AlertSelectionQuery, body, reply: Changed }),
          refusal: FAILURE,
        },
        async (request) => ({
          success: await changes.changeAll(request.actor, request.query, request.body),
        }),
      );
    }
  };
