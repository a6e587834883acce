import { valueAt } from '../../../../json/members.ts';
import { type AlertCopy, isSameTriage, type Triage, triageOf } from '../alert.ts';
import { isSameValue } from '../bulk/action-reversals.ts';
import { type Change, movesTriage, type TriageChange } from '../changes/changes.ts';
import { isConflict, mayBeConflict, overtakenBy, TriageError } from '../changes/problems.ts';
import { type Reversal, reversalOf, type UndoEntry } from '../changes/reversals.ts';
import { afterSteps, type OfferedTransitions, type Step, stepsOf } from '../changes/transitions.ts';
import type { AlertApi } from './alert-api.ts';
import type { AlertCopies } from './alert-copies.ts';

/** An alert that a person wants to change. */
export interface Target {
  readonly id: string;
  /** The triage that the person saw; another one on the server is a conflict. */
  readonly seen: Triage;
}

export interface WriterDependencies {
  readonly api: AlertApi;
  readonly copies: AlertCopies;
  /** User name of the person. */
  readonly me: string;
  readonly offered: OfferedTransitions;
  /** Default: the present time. */
  readonly clock?: () => Date;
}

/** Tries of a change while other parts of the alert keep changing. */
const MAX_ATTEMPTS = 3;

/** Writes the changes of one window to the service, and takes them back. */
export class AlertWriter {
  readonly #dependencies: WriterDependencies;
  readonly #turns = new Map<string, Promise<void>>();

  constructor(dependencies: WriterDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes a change of one alert: shows it at once, sends it with the version that was seen, shows the
   * answer. A refused change is taken off the screen again.
   * @returns what takes it back, if anything does
   * @throws TriageError with the reason; ApiProblem
   */
  write(change: Change, target: Target): Promise<UndoEntry | undefined> {
    return this.#inTurn(target.id, () =>
      movesTriage(change) ? this.#move(change, target) : this.#change(change, target.id),
    );
  }

  /**
   * Takes a change back, unless someone changed since what it would write.
   * @throws TriageError `overtaken`, `gone`; ApiProblem
   */
  async undo(entry: UndoEntry): Promise<void> {
    await this.#inTurn(entry.id, () => this.#undo(entry));
  }

  /** Runs the writes of one alert in turn: each builds on the version that the last one left. */
  async #inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    }
  }

  async #change(change: Exclude<Change, TriageChange>, id: string): Promise<UndoEntry | undefined> {
    const { api, copies } = this.#dependencies;
    const before = copies.read(id) ?? (await api.read(id));
    let itemId: string | undefined;
    let after: AlertCopy;
    switch (change.kind) {
      case 'label':
        after = await this.#label(id, before, change);
        break;
      case 'comment':
        after = await api.comment(id, change.text);
        break;
      case 'vote':
        after = await api.vote(id, change.vote, change.email, before.version);
        break;
      case 'file': {
        const { items } = await api.file(change.caseId, id, change.path);
        itemId = items?.findLast(({ type, value }) => type === 'hit' && value === id)?.id;
        after = await api.read(id);
      }
    }
    copies.replace(after);
    const reversal = reversalOf(change, before.alert, after, itemId);
    return reversal === undefined ? undefined : { id: id, version: after.version, reversal };
  }

  /**
   * @param known the alert as it is now, where that was just read or written: each write answers with
   *   the whole alert, so that several reversals of one need a single read
   * @returns the alert after it
   */
  async #undo({ id, version, reversal }: UndoEntry, known?: AlertCopy): Promise<AlertCopy> {
    const { api, copies } = this.#dependencies;
    let after: AlertCopy;
    switch (reversal.kind) {
      case 'several':
        after = known ?? (await api.read(id));
        for (const one of reversal.reversals) {
          after = await this.#undo({ id, version: undefined, reversal: one }, after);
        }
        return after;
      case 'restore':
        after = await this.#restore(id, version, reversal, known);
        break;
      case 'unfile':
        await api.unfile(reversal.caseId, [reversal.itemId]);
        after = await api.read(id);
        break;
      default:
        after = await this.#takeBack(id, reversal, known);
    }
    copies.replace(after);
    return after;
  }

  async #move(change: TriageChange, { id, seen }: Target, attempt = 1): Promise<UndoEntry> {
    const { api, copies, me, offered, clock = () => new Date() } = this.#dependencies;
    const steps = stepsOf(change, seen, me, offered);
    if (typeof steps === 'string') throw new TriageError({ kind: 'refused', refusal: steps });
    const known = copies.read(id);
    copies.predict(id, afterSteps(steps, seen, me, clock().toISOString()));
    let present = known;
    try {
      present = known?.version === undefined ? await api.read(id) : known;
      if (!isSameTriage(triageOf(present.alert), seen)) {
        throw new TriageError({ kind: 'conflict', change, seen, present });
      }
      const before = triageOf(present.alert);
      const after = await this.#send(id, steps, present);
      copies.replace(after);
      return { id, version: after.version, reversal: { kind: 'restore', before, after: triageOf(after.alert) } };
    } catch (error) {
      const fresh = mayBeConflict(error) ? await api.read(id) : undefined;
      this.#takeOffScreen(id, fresh ?? present, seen);
      if (fresh === undefined) throw error;
      if (isSameTriage(triageOf(fresh.alert), seen)) {
        // Another part of the alert changed, for example its comments: the change still means the same.
        if (isConflict(error) && attempt < MAX_ATTEMPTS) return this.#move(change, { id, seen }, attempt + 1);
        throw error;
      }
      throw new TriageError({ kind: 'conflict', change, seen, present: fresh });
    }
  }

  async #send(id: string, steps: readonly Step[], from: AlertCopy): Promise<AlertCopy> {
    let copy = from;
    for (const step of steps) copy = await this.#dependencies.api.transition(id, step, copy.version);
    return copy;
  }

  #takeOffScreen(id: string, present: AlertCopy | undefined, seen: Triage): void {
    const { copies } = this.#dependencies;
    copies.predict(id, present === undefined ? seen : triageOf(present.alert));
    if (present !== undefined) copies.replace(present);
  }

  async #label(id: string, before: AlertCopy, change: Extract<Change, { kind: 'label' }>): Promise<AlertCopy> {
    const { api } = this.#dependencies;
    const present = new Set<string>(before.alert.howler.labels?.[change.set]);
    const add = change.add.filter((label) => !present.has(label));
    const remove = change.remove.filter((label) => present.has(label));
    let after = before;
    if (add.length > 0) after = await api.label('add', id, change.set, add);
    if (remove.length > 0) after = await api.label('remove', id, change.set, remove);
    return after;
  }

  async #restore(
    id: string,
    version: string | undefined,
    { before, after }: Extract<Reversal, { kind: 'restore' }>,
    known?: AlertCopy,
  ): Promise<AlertCopy> {
    const { api } = this.#dependencies;
    try {
      return await api.restore(id, before, version ?? (await this.#unchangedSince(id, after, known)));
    } catch (error) {
      if (!isConflict(error)) throw error;
      // What changed may be something else, for example a label that an action added.
      return api.restore(id, before, await this.#unchangedSince(id, after));
    }
  }

  /** Returns the present version. @throws TriageError `overtaken`, when the triage is another one */
  async #unchangedSince(id: string, after: Triage, known?: AlertCopy): Promise<string | undefined> {
    const present = known ?? (await this.#dependencies.api.read(id));
    this.#dependencies.copies.replace(present);
    if (!isSameTriage(triageOf(present.alert), after)) throw new TriageError(overtakenBy(present.alert));
    return present.version;
  }

  /** Takes back what concerns this person alone, and so needs no version. */
  async #takeBack(
    id: string,
    reversal: Exclude<Reversal, { kind: 'restore' | 'unfile' | 'several' }>,
    known?: AlertCopy,
  ): Promise<AlertCopy> {
    const { api } = this.#dependencies;
    switch (reversal.kind) {
      case 'label':
        return this.#label(id, known ?? (await api.read(id)), reversal);
      case 'fields': {
        const present = known ?? (await api.read(id));
        const isUnchanged = Object.entries(reversal.after).every(([field, value]) =>
          isSameValue(valueAt(present.alert, field), value),
        );
        if (!isUnchanged) throw new TriageError(overtakenBy(present.alert));
        return api.setFields(id, reversal.before);
      }
      case 'deleteComment':
        return api.deleteComment(id, reversal.commentId);
      case 'vote':
        return api.vote(id, reversal.vote, reversal.email, undefined);
    }
  }
}
