import { parse, stringify } from 'yaml';
import { DEFAULT_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';

/** The text of the built-in definition, with classifications enforced. */
export const ENFORCED_CLASSIFICATION = stringify({ ...parse(DEFAULT_CLASSIFICATION), enforce: true });

/** The built-in classifications, TLP:CLEAR to TLP:AMBER+STRICT//COMMERCIAL, enforced. */
export const enforcedClassification = loadClassification(ENFORCED_CLASSIFICATION);
