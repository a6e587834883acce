import { ApiProblem } from '../../../../api/problem.ts';
import { type AlertCopy, isSameTriage, triageOf } from '../alert.ts';
import { type Change, movesTriage } from '../changes/changes.ts';
import { isConflict, isUnanswered, mayBeConflict, TriageError, triageProblemOf } from '../changes/problems.ts';
import { progressOf } from '../changes/progress.ts';
import { reversalOf, type UndoEntry } from '../changes/reversals.ts';
import { afterSteps, type OfferedTransitions, stepsOf } from '../changes/transitions.ts';
import type { Target } from '../targets.ts';
import type { AlertApi } from './alert-api.ts';
import type { AlertCopies } from './alert-copies.ts';
import { filedEntries } from './filed-entries.ts';
import { labelRequests, UndoWriter } from './undo-writer.ts';

export interface WriterDependencies {
  readonly api: AlertApi;
  readonly copies: AlertCopies;
  /** User name of the person. */
  readonly me: string;
  readonly offered: OfferedTransitions;
  /** Default: the present time. */
  readonly clock?: () => Date;
}

/** One request of a change, on the alert that the one before left. Returns the alert after it. */
type ChangeRequest = (present: AlertCopy) => Promise<AlertCopy>;

/** Tries of a change while other parts of the alert keep changing. */
const MAX_ATTEMPTS = 3;

/** Writes the changes of one window to the service, and takes them back. */
export class AlertWriter {
  readonly #dependencies: WriterDependencies;
  readonly #undo: UndoWriter;
  readonly #locks = new Map<string, Promise<void>>();

  constructor(dependencies: WriterDependencies) {
    this.#dependencies = dependencies;
    this.#undo = new UndoWriter(dependencies);
  }

  /**
   * Makes a change of one alert: shows it at once, sends it with the version that was seen, shows the
   * answer. A refused change is taken off the screen again. Where an answer is lost, the alert is read
   * to see what was written.
   * @returns what takes it back, if anything does
   * @throws TriageError with the reason, and with what takes a written part back; ApiProblem
   */
  write(change: Change, target: Target): Promise<UndoEntry | undefined> {
    return this.#withLock(target.id, () => this.#write(change, target, 1));
  }

  /**
   * Takes a change back, unless someone changed since what it would write.
   * @throws TriageError `overtaken`; ApiProblem
   */
  async undo(entry: UndoEntry): Promise<void> {
    await this.#withLock(entry.id, () => this.#undo.write(entry));
  }

  /** Runs the writes of one alert in turn: each builds on the version that the last one left. */
  async #withLock<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#locks.get(id) ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#locks.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#locks.get(id) === settled) this.#locks.delete(id);
    }
  }

  async #write(change: Change, target: Target, attempt: number): Promise<UndoEntry | undefined> {
    const { api, copies } = this.#dependencies;
    const { id, seen } = target;
    const known = copies.read(id);
    this.#predict(change, target);
    let before: AlertCopy | undefined;
    let present = known;
    let itemId: string | undefined;
    const onFiled = (item: string | undefined) => {
      itemId = item;
    };
    try {
      before = known?.version === undefined ? await api.read(id) : known;
      present = before;
      if (movesTriage(change) && !isSameTriage(triageOf(before.alert), seen)) {
        throw new TriageError({ kind: 'conflict', change, seen, present });
      }
      for (const request of this.#requests(change, before, onFiled)) present = await request(present);
      copies.replace(present);
    } catch (error) {
      present = (await this.#presentAfter(error, change, target, present)) ?? present;
      this.#revertPrediction(change, target, present);
      if (error instanceof TriageError || before === undefined || present === undefined) throw error;
      const progress = progressOf(change, before.alert, present.alert, this.#dependencies);
      if (progress === 'other') throw new TriageError({ kind: 'conflict', change, seen, present });
      if (progress === 'part') {
        const undo = this.#entryOf(change, before, present, itemId);
        throw new TriageError({ kind: 'partial', reason: triageProblemOf(error) }, undo);
      }
      if (progress === 'none') {
        // Another part of the alert changed, for example its comments: the change still means the same.
        if (isConflict(error) && attempt < MAX_ATTEMPTS) return this.#write(change, target, attempt + 1);
        throw error;
      }
    }
    if (change.kind === 'file' && itemId === undefined) return this.#filedEntry(change, id);
    return this.#entryOf(change, before, present, itemId);
  }

  /**
   * Reads an alert of which a failure does not say what it is now: an answer was lost, or the alert may
   * be another one than the change was made for. Returns undefined for other failures.
   */
  async #presentAfter(
    error: unknown,
    change: Change,
    target: Target,
    last: AlertCopy | undefined,
  ): Promise<AlertCopy | undefined> {
    if (!isUnanswered(error) && !mayBeConflict(error)) return undefined;
    try {
      const present = await this.#readIfPossible(target.id);
      if (present === undefined) this.#dependencies.copies.expire([target.id]);
      return present;
    } catch (gone) {
      this.#revertPrediction(change, target, last);
      throw gone;
    }
  }

  #requests(
    change: Change,
    before: AlertCopy,
    onFiled: (itemId: string | undefined) => void,
  ): readonly ChangeRequest[] {
    const { api, me, offered } = this.#dependencies;
    const { id } = before.alert.howler;
    if (movesTriage(change)) {
      const steps = stepsOf(change, triageOf(before.alert), me, offered);
      if (typeof steps === 'string') throw new TriageError({ kind: 'refused', refusal: steps });
      return steps.map(
        (step) =>
          ({ version }) =>
            api.transition(id, step, version),
      );
    }
    switch (change.kind) {
      case 'label':
        return labelRequests(api, before, change);
      case 'comment':
        return [() => api.comment(id, change.text)];
      case 'vote':
        return [({ version }) => api.vote(id, change.vote, change.email, version)];
      case 'file':
        return [(present) => this.#file(change, present, onFiled)];
    }
  }

  /** Files an alert into a case. The case answers, and the alert is read for what it became. */
  async #file(
    { caseId, path }: Extract<Change, { kind: 'file' }>,
    present: AlertCopy,
    onFiled: (itemId: string | undefined) => void,
  ): Promise<AlertCopy> {
    const { api, copies } = this.#dependencies;
    const { howler } = present.alert;
    const { items } = await api.file(caseId, howler.id, path);
    onFiled(items?.findLast(({ type, value }) => type === 'hit' && value === howler.id)?.id);
    const after = await this.#readIfPossible(howler.id);
    if (after !== undefined) return after;
    copies.expire([howler.id]);
    return {
      alert: { ...present.alert, howler: { ...howler, related: [...howler.related, caseId] } },
      version: undefined,
    };
  }

  /** Shows what a change of the triage leads to. @throws TriageError `refused` */
  #predict(change: Change, { id, seen }: Target): void {
    const { copies, me, offered, clock = () => new Date() } = this.#dependencies;
    if (!movesTriage(change)) return;
    const steps = stepsOf(change, seen, me, offered);
    if (typeof steps === 'string') throw new TriageError({ kind: 'refused', refusal: steps });
    copies.predict(id, afterSteps(steps, seen, me, clock().toISOString()));
  }

  /** Shows an alert as it is known to be, in place of what a change would have led to. */
  #revertPrediction(change: Change, { id, seen }: Target, present: AlertCopy | undefined): void {
    const { copies } = this.#dependencies;
    if (movesTriage(change)) copies.predict(id, present === undefined ? seen : triageOf(present.alert));
    if (present !== undefined) copies.replace(present);
  }

  #entryOf(
    change: Change,
    { alert: before }: AlertCopy,
    after: AlertCopy,
    itemId: string | undefined,
  ): UndoEntry | undefined {
    const reversal = reversalOf(change, before, after, itemId);
    return reversal === undefined ? undefined : { id: before.howler.id, version: after.version, reversal };
  }

  /** Returns what takes an alert out of a case whose answer was lost, if the case can be read. */
  async #filedEntry({ caseId }: Extract<Change, { kind: 'file' }>, id: string): Promise<UndoEntry | undefined> {
    try {
      return (await filedEntries(this.#dependencies.api, caseId, [id]))[0];
    } catch (error) {
      if (error instanceof ApiProblem) return undefined;
      throw error;
    }
  }

  /** Returns undefined where the alert cannot be read now. @throws ApiProblem when it is gone */
  async #readIfPossible(id: string): Promise<AlertCopy | undefined> {
    try {
      return await this.#dependencies.api.read(id);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status === 404) throw error;
      return undefined;
    }
  }
}
