import { isTriadError } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SubmissionDeletion } from '../submissions/submission-deletion.ts';

type Deletion = Pick<SubmissionDeletion, 'delete' | 'resume'>;

/** Deletes submissions wherever they are: their documents and their copies in the archive. */
export class EveryCopyDeletion implements Deletion {
  readonly #deletions: readonly Deletion[];

  constructor(deletions: readonly Deletion[]) {
    this.#deletions = deletions;
  }

  /** @throws NotFound `submission_missing`, when no copy is there that the actor may delete */
  async delete(actor: Actor, sid: string): Promise<void> {
    let missing: unknown;
    let isDeleted = false;
    for (const deletion of this.#deletions) {
      try {
        await deletion.delete(actor, sid);
        isDeleted = true;
      } catch (error) {
        if (!isTriadError(error) || error.code !== 'submission_missing') throw error;
        missing = error;
      }
    }
    if (!isDeleted) throw missing;
  }

  async resume(): Promise<number> {
    let count = 0;
    for (const deletion of this.#deletions) count += await deletion.resume();
    return count;
  }
}
