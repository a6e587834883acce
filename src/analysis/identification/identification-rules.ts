import { LABEL_PATTERNS } from './label-kinds.ts';
import { LabelMatcher } from './label-matcher.ts';
import { MAGIC_RULES } from './magic-rules.ts';
import { MIME_KINDS } from './mime-kinds.ts';

/** The rules by which files are identified, as they are at the moment. */
export interface IdentificationRules {
  /** Rules in the format of magic(5), which precede those of libmagic. */
  magic(): Promise<string>;
  /** Kinds by media type. */
  mimes(): Promise<Readonly<Record<string, string>>>;
  labels(): Promise<LabelMatcher>;
}

/** Returns the rules that the program brings along. */
export function builtInRules(): IdentificationRules {
  const labels = new LabelMatcher(LABEL_PATTERNS);
  return { magic: async () => MAGIC_RULES, mimes: async () => MIME_KINDS, labels: async () => labels };
}
