import { allOf, anyOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { Workflow } from '../../documents/kinds/analysis/workflow.ts';
import { type AlertChange, type AlertEntity, changeOperations } from '../alerts/alert-changes.ts';

/** The parts of a workflow that say what it does. */
export type WorkflowEffect = Pick<Workflow, 'labels' | 'name' | 'priority' | 'status' | 'workflow_id'>;

/** Runs before all others: alerts without a status are to be triaged. */
export const TRIAGE_WORKFLOW: WorkflowEffect & Pick<Workflow, 'query'> = {
  workflow_id: 'DEFAULT',
  name: 'Triage all with no status',
  query: 'NOT status:*',
  labels: [],
  status: 'TRIAGE',
};

/** States that people or workflows decided on; TRIAGE is none of them. */
const DECIDED = ['MALICIOUS', 'NON-MALICIOUS', 'ASSESS'] as const;

/** Selects alerts that lack something of what the workflow sets; the others are left alone. */
export function lackingEffect({ labels, priority, status }: WorkflowEffect): QueryNode {
  const present: QueryNode[] = labels.map((value) => ({ kind: 'term', field: 'label', value }));
  if (priority) present.push({ kind: 'exists', field: 'priority' });
  if (status) present.push(anyOf(...DECIDED.map((value): QueryNode => ({ kind: 'term', field: 'status', value }))));
  return not(allOf(...present));
}

/** Returns the operations of a workflow on an alert with its event; none when it sets nothing. */
export function workflowOperations({ labels, name, priority, status, workflow_id: id }: WorkflowEffect, now: Date) {
  const change: AlertChange = { labels, priority, status };
  const entity: AlertEntity = { type: 'workflow', id: id ?? name, name };
  return changeOperations(change, entity, now);
}
