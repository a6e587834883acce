import { Type } from 'typebox';
import { workflowDocument } from '../../documents/kinds/analysis/workflow.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, field, flag } from '../../input/input-kinds.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { WorkflowService } from './workflow-service.ts';

const COUNTED: GuardedAccess = { ...ANYONE, quota: true, readOnly: false };
const VIEW: GuardedAccess = { ...COUNTED, roles: ['workflow_view'] };
const MANAGE: GuardedAccess = { ...COUNTED, roles: ['workflow_manage'] };
const FAILURE = { success: false };

const ById = pathParameters({ workflow_id: ['Identifier of the workflow.', EXAMPLE_IDS.workflow] });
const RunQuery = Type.Object({
  run_workflow: flag({ description: 'Run it over the alerts that exist already, too.', empty: true }),
});
const WorkflowBody = documentOf(
  {
    name: field(Type.String({ description: 'Name.' })),
    query: field(Type.String({ description: 'Alerts that it is for.' })),
    classification: field(Type.String({ description: 'Who may see it, and the highest alerts that it changes.' })),
    enabled: field(Type.Boolean({ description: 'Whether it runs.' })),
    labels: field(Type.Array(Type.String(), { description: 'Labels that it gives.' })),
    priority: field(Type.String({ description: 'Priority that it gives.' })),
    status: field(Type.String({ description: 'Status that it gives.' })),
  },
  { examples: [{ name: 'Phishing', query: 'al.attrib:PHISH*', labels: ['PHISHING'], priority: 'HIGH', status: null }] },
);
const EnableBody = documentOf(
  { enabled: field(Type.Boolean({ description: 'Whether it runs.' })) },
  { examples: [{ enabled: true }] },
);

/** Serves `/api/v4/workflow/` (contract/analysis.md section 6, workflow). */
export const workflowRoutes =
  ({ workflows }: { readonly workflows: WorkflowService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/workflow/:workflow_id/',
      {
        access: VIEW,
        schema: operation('workflow_get_workflow', 'Get a workflow', { params: ById, reply: Anything }),
        refusal: FAILURE,
      },
      async ({ actor, params: { workflow_id: id } }) =>
        wholeOutput(workflowDocument, await workflows.get(id, actor.searchAccess)),
    );
    app.get(
      '/api/v4/workflow/labels/',
      {
        access: VIEW,
        schema: operation('workflow_list_workflow_labels', 'List the labels that workflows give', {
          reply: Type.Array(Type.String()),
        }),
      },
      ({ actor }) => workflows.labels(actor.searchAccess),
    );
    app.put(
      '/api/v4/workflow/',
      {
        access: { ...MANAGE, audit: true },
        schema: operation('workflow_add_workflow', 'Create a workflow', {
          querystring: RunQuery,
          body: WorkflowBody,
          reply: Type.Object({ success: Type.Boolean(), workflow_id: Type.String() }),
        }),
        refusal: FAILURE,
      },
      async ({ actor, body, query }) => {
        const { workflow_id: id = '' } = await workflows.create(actor, body);
        if (query.run_workflow) await workflows.run(actor, id);
        return { success: true, workflow_id: id };
      },
    );
    app.post(
      '/api/v4/workflow/:workflow_id/',
      {
        access: { ...MANAGE, audit: true },
        schema: operation('workflow_edit_workflow', 'Change a workflow', {
          params: ById,
          querystring: RunQuery,
          body: WorkflowBody,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      async ({ actor, body, query, params: { workflow_id: id } }) => {
        await workflows.edit(actor, id, body);
        if (query.run_workflow) await workflows.run(actor, id);
      },
    );
    app.put(
      '/api/v4/workflow/enable/:workflow_id/',
      {
        access: { ...MANAGE, audit: true },
        schema: operation('workflow_set_workflow_status', 'Switch a workflow on or off', {
          params: ById,
          body: EnableBody,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      async ({ actor, body: { enabled }, params: { workflow_id: id } }) => {
        if (typeof enabled !== 'boolean') {
          throw new InvalidInput('workflow_incomplete', 'Enabled field is required', { response: FAILURE });
        }
        await workflows.setEnabled(actor, id, enabled);
      },
    );
    app.get(
      '/api/v4/workflow/:workflow_id/run/',
      {
        access: MANAGE,
        schema: operation('workflow_run_workflow', 'Run a workflow over the alerts that exist already', {
          params: ById,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      ({ actor, params: { workflow_id: id } }) => workflows.run(actor, id),
    );
    app.delete(
      '/api/v4/workflow/:workflow_id/',
      {
        access: MANAGE,
        schema: operation('workflow_remove_workflow', 'Delete a workflow', { params: ById, reply: Success }),
        refusal: FAILURE,
      },
      ({ actor, params: { workflow_id: id } }) => workflows.delete(actor, id),
    );
  };
