import { not, type QueryNode } from '../../../datastore/port/query-tree.ts';
import { LABEL_SETS } from '../../../documents/kinds/hit.ts';
import {
  executed,
  type HitUpdates,
  LABEL_LIMIT,
  type Operation,
  type OperationSpecification,
  type Outcome,
  queryOfIds,
  refused,
  skipped,
  specified,
  textArgument,
} from '../operation.ts';

/** `add_label`: puts a label on alerts that do not have it. */
export function addLabel(service: HitUpdates): Operation {
  return labelOperation(service, {
    operation: 'APPEND_IF_MISSING',
    specification: specified({
      id: 'add_label',
      title: 'Add Label',
      priority: 8,
      short: 'Put a label on alerts',
      long: 'Puts a label on every alert of the query.\n\n- `category`: the set of labels. Default: generic.\n- `label`: what it says.',
      steps: steps('howler.labels.$category:$label'),
    }),
    passedOver: (present) => present,
    told: {
      passedOver: ['Skipped Hit with Label', (label) => `These hits already have the label ${label}.`],
      done: (label, category) => `Label '${label}' added to category '${category}' for all matching hits.`,
    },
  });
}

/** `remove_label`: takes a label from alerts that have it. */
export function removeLabel(service: HitUpdates): Operation {
  return labelOperation(service, {
    operation: 'REMOVE',
    specification: specified({
      id: 'remove_label',
      title: 'Remove Label',
      priority: 7,
      short: 'Take a label from alerts',
      long: 'Takes a label from every alert of the query.\n\n- `category`: the set of labels. Default: generic.\n- `label`: what it says.',
      steps: steps('-howler.labels.$category:$label'),
    }),
    passedOver: not,
    told: {
      passedOver: ['Skipped Hit without Label', (label) => `These hits do not have the label ${label}.`],
      done: (label, category) => `Label '${label}' removed from category '${category}' for all matching hits.`,
    },
  });
}

function steps(query: string): OperationSpecification['steps'] {
  return [{ args: { category: [], label: [] }, options: { category: LABEL_SETS }, validation: { warn: { query } } }];
}

interface LabelOperation {
  readonly operation: 'APPEND_IF_MISSING' | 'REMOVE';
  readonly specification: OperationSpecification;
  /** Selects the alerts without a change, given the query of those with the label. */
  readonly passedOver: (present: QueryNode) => QueryNode;
  readonly told: {
    readonly passedOver: readonly [title: string, message: (label: string) => string];
    readonly done: (label: string, category: string) => string;
  };
}

function labelOperation(
  service: HitUpdates,
  { operation, specification, passedOver, told }: LabelOperation,
): Operation {
  return {
    specification,
    limit: LABEL_LIMIT,
    onlyUpdates: true,
    async run({ selection }, given) {
      const { query } = selection;
      const category = textArgument(given, 'category') ?? 'generic';
      const label = textArgument(given, 'label');
      if (!LABEL_SETS.includes(category)) {
        return [refused(query, 'Invalid Category', `'${category}' is not a valid category.`)];
      }
      if (label === undefined) return [refused(query, 'Invalid Label', 'Label cannot be empty.')];
      const key = `howler.labels.${category}`;
      const unchanged = passedOver({ kind: 'term', field: key, value: label });
      const ids = await selection.unchanged(LABEL_LIMIT.advanced, unchanged);
      await selection.update(service, [{ operation, key, value: label }]);
      const outcomes: Outcome[] = [];
      const [title, message] = told.passedOver;
      if (ids.length > 0) outcomes.push(skipped(queryOfIds(ids), title, message(label)));
      return [...outcomes, executed(query, told.done(label, category))];
    },
  };
}
