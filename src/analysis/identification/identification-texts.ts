import { stringify } from 'yaml';
import { TooLarge } from '../../errors/errors.ts';
import type { SystemValues } from '../system/system-values.ts';
import type { Identification } from './identification.ts';
import { LABEL_PATTERNS } from './label-kinds.ts';
import { MAGIC_RULES } from './magic-rules.ts';
import { MIME_KINDS } from './mime-kinds.ts';
import { invalidText, readLabelPatterns, readMimeKinds } from './rule-texts.ts';
import { yaraProblem } from './yara-syntax.ts';

/** Names of the texts by which administrators change how files are identified. */
export const IDENTIFICATION_TEXTS = ['magic', 'mimes', 'patterns', 'yara'] as const;
export type IdentificationTextName = (typeof IDENTIFICATION_TEXTS)[number];

export interface IdentificationTextsDependencies {
  readonly values: SystemValues;
  readonly identification: Pick<Identification, 'problemOfRules'>;
}

const MAX_LENGTH = 1 << 20;
const DEFAULTS: Readonly<Record<IdentificationTextName, () => string>> = {
  magic: () => MAGIC_RULES,
  mimes: () => stringify(MIME_KINDS),
  patterns: () => stringify(LABEL_PATTERNS),
  yara: () => '',
};

/** Checks and keeps the texts; every process uses a new one within a second. */
export class IdentificationTexts {
  readonly #values: SystemValues;
  readonly #identification: IdentificationTextsDependencies['identification'];

  constructor({ values, identification }: IdentificationTextsDependencies) {
    this.#values = values;
    this.#identification = identification;
  }

  /** @param isDefault the text that the program brings along; false: the one in force */
  async get(name: IdentificationTextName, isDefault: boolean): Promise<string> {
    const text = isDefault ? undefined : await this.#values.get(`identify_${name}`);
    return typeof text === 'string' ? text : DEFAULTS[name]();
  }

  /**
   * Replaces one of the texts; null: by the one that the program brings along.
   * @throws InvalidInput `invalid_identification_text`; TooLarge `identification_text_too_large`, `yaml_too_large`
   */
  async set(name: IdentificationTextName, text: string | null): Promise<void> {
    if (text === null || text === DEFAULTS[name]()) return this.#values.remove(`identify_${name}`);
    if (text.length > MAX_LENGTH) {
      throw new TooLarge('identification_text_too_large', `The text is longer than ${MAX_LENGTH} characters.`);
    }
    await this.#check(name, text);
    await this.#values.set(`identify_${name}`, text);
  }

  async #check(name: IdentificationTextName, text: string): Promise<void> {
    if (name === 'mimes') readMimeKinds(text);
    else if (name === 'patterns') readLabelPatterns(text);
    else if (name === 'yara') {
      const problem = yaraProblem(text);
      if (problem !== undefined) throw invalidText(`The Yara file you have submitted is invalid: ${problem}`);
    } else if ((await this.#identification.problemOfRules(text)) !== undefined) {
      throw invalidText('The magic file you have submitted is invalid.');
    }
  }
}
