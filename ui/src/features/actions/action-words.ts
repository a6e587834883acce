import type { Translate } from '../../i18n/translation.ts';
import { argumentText, type ChosenOperation, type OperationSpecification } from './operation-arguments.ts';

const OPERATIONS = [
  'add_label',
  'remove_label',
  'change_field',
  'prioritization',
  'promote',
  'demote',
  'transition',
  'add_to_case',
  'add_to_bundle',
  'remove_from_bundle',
] as const;

const ARGUMENTS = [
  'category',
  'label',
  'field',
  'value',
  'escalation',
  'assessment',
  'rationale',
  'status',
  'transition',
  'assignee',
  'vote',
  'email',
  'case_id',
  'destination',
  'bundle_id',
] as const;

/** Returns the name of an operation; one of an extension has the title that it gives itself. */
export function operationName(t: Translate, id: string, specification?: Pick<OperationSpecification, 'title'>): string {
  const known = OPERATIONS.find((one) => one === id);
  return known === undefined ? (specification?.title ?? id) : t(`actions.operation.${known}`);
}

export function argumentName(t: Translate, name: string): string {
  const known = ARGUMENTS.find((one) => one === name);
  return known === undefined ? name : t(`actions.argument.${known}`);
}

/** Returns an operation with its arguments in one line. */
export function operationWords(t: Translate, { id, given }: ChosenOperation): string {
  const words = Object.keys(given).map((name) => `${argumentName(t, name)}: ${argumentText(given, name)}`);
  return words.length === 0 ? operationName(t, id) : `${operationName(t, id)} (${words.join(', ')})`;
}
