import type { Assessment, Escalation, LabelSet, Vote } from '../alert.ts';

/** One thing that a person does with an alert. */
export type Change =
  | { readonly kind: 'assess'; readonly assessment: Assessment; readonly rationale?: string | undefined }
  | { readonly kind: 'take' }
  | { readonly kind: 'assign'; readonly to: string }
  | { readonly kind: 'release' | 'start' | 'pause' | 'resume' | 'reopen' }
  | { readonly kind: 'promote' | 'demote'; readonly escalation?: Escalation | undefined }
  | {
      readonly kind: 'label';
      readonly set: LabelSet;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'vote'; readonly vote: Vote; readonly email: string }
  | { readonly kind: 'file'; readonly caseId: string; readonly path?: string | undefined };

export type TriageChange = Extract<
  Change,
  { kind: 'assess' | 'take' | 'assign' | 'release' | 'start' | 'pause' | 'resume' | 'reopen' | 'promote' | 'demote' }
>;

/** Returns whether a change moves the triage, which undo writes back as a whole. */
export function movesTriage(change: Change): change is TriageChange {
  return change.kind !== 'label' && change.kind !== 'comment' && change.kind !== 'vote' && change.kind !== 'file';
}

/** Returns whether a change has words that a person typed, which must not get lost with a failure. */
export function isTyped(change: Change): boolean {
  if (change.kind === 'assess') return change.rationale !== undefined && change.rationale !== '';
  return change.kind === 'comment' || change.kind === 'label';
}

/** Returns the dialogue that asks for what a change needs, if there is one. */
export function dialogOf({ kind }: Change): 'assess' | 'assign' | 'label' | 'comment' | 'file' | undefined {
  switch (kind) {
    case 'assess':
    case 'assign':
    case 'label':
    case 'comment':
    case 'file':
      return kind;
    default:
      return undefined;
  }
}
