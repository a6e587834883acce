import type { Claim, Preemption } from '../progress/submission-machine.ts';
import type { Task, TaskOutcome, TaskReceipt } from '../task.ts';

/** Requests to the dispatcher of the process that owns a submission. */
export type OwnerRequest = { readonly sid: string } & (
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'release'; readonly receipt: TaskReceipt }
  | { readonly kind: 'finish'; readonly receipt: TaskReceipt; readonly outcome: TaskOutcome }
  | { readonly kind: 'wants'; readonly receipt: TaskReceipt }
  | { readonly kind: 'preempt'; readonly taskId: string; readonly reason: Preemption }
  | { readonly kind: 'watch'; readonly watcher: string }
  | { readonly kind: 'outstanding' }
  | { readonly kind: 'cancel' }
);

export interface OwnerReplies {
  /** Undefined: not wanted any more. */
  claim: { readonly task?: Task };
  release: { readonly isDone: boolean };
  finish: { readonly isAccepted: boolean };
  wants: { readonly isWanted: boolean };
  preempt: { readonly isDone: boolean };
  watch: { readonly isDone: boolean };
  outstanding: { readonly counts: Record<string, number> };
  cancel: { readonly isDone: boolean };
}

export type OwnerReply = OwnerReplies[OwnerRequest['kind']];
