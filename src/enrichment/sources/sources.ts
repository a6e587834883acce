import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';

/** A source of knowledge about values (contract/enrichment.md section 4.1). */
export interface Source {
  readonly name: string;
  /** Without a final slash. */
  readonly url: string;
  /** Classification of the source itself, normalised. */
  readonly classification: string;
}

/** The sources of the settings. */
export class Sources {
  readonly #engine: ClassificationEngine;
  readonly #sources: readonly Source[];

  /** @throws InvalidInput `invalid_setting` for an invalid classification, or a repeated name */
  constructor(parts: {
    readonly settings: Settings['enrichment']['external_sources'];
    readonly engine: ClassificationEngine;
  }) {
    this.#engine = parts.engine;
    const names = new Set<string>();
    this.#sources = parts.settings.map(({ name, url, classification }, index) => {
      const at = `enrichment.external_sources[${index}]`;
      if (names.has(name)) throw invalid(`${at}.name`, `there is another source ${name}`);
      names.add(name);
      return {
        name,
        url: url.replace(/\/+$/, ''),
        classification: classification
          ? this.#normalise(classification, `${at}.classification`)
          : this.#engine.unrestricted,
      };
    });
  }

  /** Returns the sources that the actor may see, in the order of the settings. */
  visibleTo(actor: Pick<Actor, 'classification'>): readonly Source[] {
    return this.#sources.filter(({ classification }) =>
      this.#engine.isAccessible(actor.classification, classification, true),
    );
  }

  #normalise(text: string, at: string): string {
    try {
      return this.#engine.normalise(text.toUpperCase());
    } catch (cause) {
      throw invalid(at, `${text} is not a classification`, cause);
    }
  }
}

function invalid(at: string, problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_setting', `${at}: ${problem}.`, { at, cause });
}
