import type { ClassificationEngine, ParsedDefinition } from '../../classification/classification.ts';

/** Returns the classifications of the installation without the source of their definition. */
export function classificationDefinition(engine: ClassificationEngine): Omit<ParsedDefinition, 'original_definition'> {
  const { original_definition: _source, ...definition } = engine.parsedDefinition();
  return definition;
}
