import type { SystemValues } from '../system/system-values.ts';
import { LABEL_PATTERNS } from './label-kinds.ts';
import { LabelMatcher } from './label-matcher.ts';
import { MAGIC_RULES } from './magic-rules.ts';
import { MIME_KINDS } from './mime-kinds.ts';
import { readLabelPatterns, readMimeKinds } from './rule-texts.ts';

/** The rules by which files are identified, as they are at the moment. */
export interface IdentificationRules {
  /** Rules in the format of magic(5), which precede those of libmagic. */
  magic(): Promise<string>;
  /** Kinds by media type. */
  mimes(): Promise<Readonly<Record<string, string>>>;
  labels(): Promise<LabelMatcher>;
}

/** Values of an installation in which nothing is set. */
const NOTHING_SET: Pick<SystemValues, 'reader'> = {
  reader: (_name, read) => {
    const value = read(undefined);
    return async () => value;
  },
};

/** Returns the rules that administrators have set, and those of the program where they have set none. */
export function identificationRules(values: Pick<SystemValues, 'reader'> = NOTHING_SET): IdentificationRules {
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
