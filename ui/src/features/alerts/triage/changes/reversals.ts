import { type Alert, type AlertCopy, type LabelSet, type Triage, triageOf, VOTES, type Vote } from '../alert.ts';
import { type Change, movesTriage } from './changes.ts';

/** A change that takes another one back. */
export type Reversal =
  | {
      readonly kind: 'restore';
      /** The triage before the change. */
      readonly before: Triage;
      /** The triage after the change; another present state means that someone changed it since. */
      readonly after: Triage;
    }
  | {
      readonly kind: 'label';
      readonly set: LabelSet;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | {
      readonly kind: 'fields';
      /** Values by dotted path; null for none. */
      readonly before: Readonly<Record<string, unknown>>;
      readonly after: Readonly<Record<string, unknown>>;
    }
  /** Takes several changes of one alert back, one after the other. */
  | { readonly kind: 'several'; readonly reversals: readonly Reversal[] }
  | { readonly kind: 'deleteComment'; readonly commentId: string }
  | { readonly kind: 'vote'; readonly vote: Vote; readonly email: string }
  | { readonly kind: 'unfile'; readonly caseId: string; readonly itemId: string };

/** A reversal of one alert, with the version that our own change left. */
export interface UndoEntry {
  readonly id: string;
  readonly version: string | undefined;
  readonly reversal: Reversal;
}

/**
 * Returns what takes a change back; undefined when the change left nothing to take back.
 * @param itemId of the item in the case, for `file`
 */
export function reversalOf(change: Change, before: Alert, after: AlertCopy, itemId?: string): Reversal | undefined {
  if (movesTriage(change)) return { kind: 'restore', before: triageOf(before), after: triageOf(after.alert) };
  switch (change.kind) {
    case 'label': {
      const present = new Set<string>(before.howler.labels?.[change.set]);
      const add = change.remove.filter((label) => present.has(label));
      const remove = change.add.filter((label) => !present.has(label));
      return add.length + remove.length === 0 ? undefined : { kind: 'label', set: change.set, add, remove };
    }
    case 'comment': {
      const known = new Set(before.howler.comment.map(({ id }) => id));
      const added = after.alert.howler.comment.findLast(({ id, value }) => !known.has(id) && value === change.text);
      return added === undefined ? undefined : { kind: 'deleteComment', commentId: added.id };
    }
    case 'vote': {
      // A voter has one vote: giving the former one again moves it back, giving the same one again removes it.
      const former = VOTES.find((vote) => before.howler.votes?.[vote]?.includes(change.email));
      return { kind: 'vote', vote: former ?? change.vote, email: change.email };
    }
    case 'file':
      return itemId === undefined ? undefined : { kind: 'unfile', caseId: change.caseId, itemId };
  }
}
