import type { Versioned } from '../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import type { PreparedJson } from '../../json/sorted-json.ts';
import { VersionedAnswers } from '../versioned-answers.ts';

/** What is answered for a hit, kept by identifier and version. */
export class HitAnswers {
  readonly #answers = new VersionedAnswers();

  of(id: string, { document, version }: Versioned<Hit>): PreparedJson {
    return this.#answers.of(`${version} ${id}`, () => toOutput(hitDocument, document));
  }
}
