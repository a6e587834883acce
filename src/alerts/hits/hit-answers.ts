import type { Versioned } from '../../datastore/collection.ts';
import { type Hit, hitDocument } from '../../documents/hit.ts';
import { toOutput } from '../../documents/output.ts';
import { PreparedJson } from '../../http/sorted-json.ts';

/** Characters of answers that are kept. */
const MOST_CHARACTERS = 8_000_000;

/**
 * What is answered for a hit, kept by identifier and version: people look at the same alerts again and again, and to write one as JSON
 * costs more than to read it. Who may see the hit is decided before it gets here. The least recently used go first.
 */
export class HitAnswers {
  readonly #answers = new Map<string, PreparedJson>();
  #characters = 0;

  of(id: string, { document, version }: Versioned<Hit>): PreparedJson {
    const key = `${version} ${id}`;
    const known = this.#answers.get(key);
    const answer = known ?? new PreparedJson(toOutput(hitDocument, document));
    if (known !== undefined) this.#answers.delete(key);
    else this.#characters += answer.text.length;
    this.#answers.set(key, answer);
    if (this.#characters > MOST_CHARACTERS) this.#forgetOldest();
    return answer;
  }

  #forgetOldest(): void {
    for (const [key, { text }] of this.#answers) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#answers.delete(key);
      this.#characters -= text.length;
    }
  }
}
