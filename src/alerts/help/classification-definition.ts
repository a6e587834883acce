import type { ClassificationEngine, ParsedDefinition } from '../../classification/classification.ts';

/** The classifications of the installation as clients of the alert service know them: without the source they were read from. */
export function classificationDefinition(engine: ClassificationEngine): Omit<ParsedDefinition, 'original_definition'> {
  const { original_definition: _source, ...definition } = engine.parsedDefinition();
  return definition;
}
