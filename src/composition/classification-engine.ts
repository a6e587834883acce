import { DEMO_CLASSIFICATION } from '../classification/builtin-definitions.ts';
import { type ClassificationEngine, loadClassification } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';

/**
 * The engine of the configured definition; without one the built-in definition, or the demo's for a
 * demo.
 */
export function openClassification(
  { classification }: Config,
  options: { readonly demo: boolean },
): ClassificationEngine {
  if (classification !== undefined) return loadClassification(classification.text, classification.path);
  return options.demo ? loadClassification(DEMO_CLASSIFICATION) : loadClassification();
}
