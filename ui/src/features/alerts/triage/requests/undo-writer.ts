import { isSameStored } from '../../../../json/equality.ts';
import { valueAt } from '../../../../json/members.ts';
import { type AlertCopy, isSameTriage, type LabelSet, type Triage, triageOf } from '../alert.ts';
import { isConflict, isUnanswered, overtakenBy, TriageError } from '../changes/problems.ts';
import type { Reversal, UndoEntry } from '../changes/reversals.ts';
import type { AlertApi } from './alert-api.ts';
import type { AlertCopies } from './alert-copies.ts';

interface Dependencies {
  readonly api: AlertApi;
  readonly copies: AlertCopies;
}

/** Takes changes of alerts back. */
export class UndoWriter {
  readonly #api: AlertApi;
  readonly #copies: AlertCopies;

  constructor({ api, copies }: Dependencies) {
    this.#api = api;
    this.#copies = copies;
  }

  /**
   * Takes a change back, unless someone changed since what it would write.
   * @param known the alert as it is now, where that was just read or written: each write answers with
   *   the whole alert, so that several reversals of one need a single read
   * @returns the alert after it
   * @throws TriageError `overtaken`; ApiProblem
   */
  async write({ id, version, reversal }: UndoEntry, known?: AlertCopy): Promise<AlertCopy> {
    let after: AlertCopy;
    switch (reversal.kind) {
      case 'several':
        after = known ?? (await this.#api.read(id));
        for (const one of reversal.reversals) {
          after = await this.write({ id, version: undefined, reversal: one }, after);
        }
        return after;
      case 'restore':
        after = await this.#restore(id, version, reversal, known);
        break;
      case 'unfile':
        await this.#api.unfile(reversal.caseId, [reversal.itemId]);
        after = await this.#api.read(id);
        break;
      default:
        after = await this.#takeBack(id, reversal, known);
    }
    this.#copies.replace(after);
    return after;
  }

  async #restore(
    id: string,
    version: string | undefined,
    { before, after }: Extract<Reversal, { kind: 'restore' }>,
    known?: AlertCopy,
  ): Promise<AlertCopy> {
    try {
      return await this.#api.restore(id, before, version ?? (await this.#unchangedSince(id, after, known)));
    } catch (error) {
      if (isUnanswered(error)) {
        const present = await this.#api.read(id);
        if (isSameTriage(triageOf(present.alert), before)) return present;
      }
      if (!isConflict(error)) throw error;
      // What changed may be something else, for example a label that an action added.
      return this.#api.restore(id, before, await this.#unchangedSince(id, after));
    }
  }

  /** Returns the present version. @throws TriageError `overtaken`, when the triage is another one */
  async #unchangedSince(id: string, after: Triage, known?: AlertCopy): Promise<string | undefined> {
    const present = known ?? (await this.#api.read(id));
    this.#copies.replace(present);
    if (!isSameTriage(triageOf(present.alert), after)) throw new TriageError(overtakenBy(present.alert));
    return present.version;
  }

  /** Takes back what concerns this person alone, and so needs no version. */
  async #takeBack(
    id: string,
    reversal: Exclude<Reversal, { kind: 'restore' | 'unfile' | 'several' }>,
    known?: AlertCopy,
  ): Promise<AlertCopy> {
    switch (reversal.kind) {
      case 'label': {
        let after = known ?? (await this.#api.read(id));
        for (const request of labelRequests(this.#api, after, reversal)) after = await request();
        return after;
      }
      case 'fields': {
        const present = known ?? (await this.#api.read(id));
        const isUnchanged = Object.entries(reversal.after).every(([field, value]) =>
          isSameStored(valueAt(present.alert, field), value),
        );
        if (!isUnchanged) throw new TriageError(overtakenBy(present.alert));
        return this.#api.setFields(id, reversal.before);
      }
      case 'deleteComment':
        return this.#api.deleteComment(id, reversal.commentId);
      case 'vote':
        return this.#api.vote(id, reversal.vote, reversal.email, undefined);
    }
  }
}

interface LabelChange {
  readonly set: LabelSet;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Returns the requests that give an alert the labels of a change: those that it needs, in order. */
export function labelRequests(
  api: Pick<AlertApi, 'label'>,
  { alert: { howler } }: AlertCopy,
  change: LabelChange,
): readonly (() => Promise<AlertCopy>)[] {
  const present = new Set<string>(howler.labels?.[change.set]);
  const add = change.add.filter((label) => !present.has(label));
  const remove = change.remove.filter((label) => present.has(label));
  return [
    ...(add.length > 0 ? [() => api.label('add', howler.id, change.set, add)] : []),
    ...(remove.length > 0 ? [() => api.label('remove', howler.id, change.set, remove)] : []),
  ];
}
