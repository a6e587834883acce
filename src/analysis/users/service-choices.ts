import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Service, serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { DEFAULT_SELECTED_SERVICES } from '../../documents/kinds/analysis/submission.ts';
import { toOutput } from '../../documents/schema/output.ts';

/** Returns the services that a user may choose from, by category, and their parameters. */
export function serviceChoices(services: readonly Service[], classification: ClassificationEngine, clearance: string) {
  const visible = services.filter((one) => classification.isAccessible(clearance, one.classification, true));
  const isSelected = (name: string) => DEFAULT_SELECTED_SERVICES.includes(name);
  const choices = visible.map(({ name, category, description, is_external }) => ({
    name,
    category,
    description,
    is_external,
    selected: isSelected(category) || isSelected(name),
  }));
  const byCategory = Map.groupBy(choices, ({ category }) => category);
  return {
    service_spec: visible
      .map((one) => toOutput(serviceDocument, one))
      .filter(({ submission_params: params }) => params.length > 0)
      .map(({ name, submission_params: params }) => ({ name, params })),
    services: [...byCategory].map(([name, members]) => ({ name, selected: isSelected(name), services: members })),
  };
}
