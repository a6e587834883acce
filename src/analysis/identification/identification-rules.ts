import type { SystemValues } from '../system/system-values.ts';
import { readLabelPatterns, readMimeKinds } from './identification-texts.ts';
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

/** Returns the rules that administrators have set, and those of the program where they have set none. */
export function identificationRules(values: Pick<SystemValues, 'reader'>): IdentificationRules {
  const text = <T>(read: (text: string) => T, otherwise: () => T) => {
    return (value: unknown): T => (typeof value === 'string' ? read(value) : otherwise());
  };
  return {
    magic: values.reader(
      'identify_magic',
      text(String, () => MAGIC_RULES),
    ),
    mimes: values.reader(
      'identify_mimes',
      text(readMimeKinds, () => MIME_KINDS),
    ),
    labels: values.reader(
      'identify_patterns',
      text(readLabelPatterns, () => new LabelMatcher(LABEL_PATTERNS)),
    ),
  };
}
