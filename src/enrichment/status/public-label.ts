import type { ClassificationEngine } from '../../classification/classification.ts';

interface Classified {
  readonly name: string;
  /** The classification of the name. */
  readonly classification: string;
}

/** Returns the label of a source or list in metrics: `restricted` if not everyone may know its name. */
export function publicLabel({ name, classification }: Classified, engine: ClassificationEngine): string {
  return engine.isAccessible(engine.unrestricted, classification, true) ? name : 'restricted';
}
