import type { Assessment, Escalation, Status, Triage } from '../alert.ts';
import { UNASSIGNED } from '../alert.ts';
import type { TriageChange } from './changes.ts';

export const TRANSITIONS = [
  'assign_to_me',
  'assign_to_other',
  'vote',
  'assess',
  'release',
  'start',
  'pause',
  'resume',
  're_evaluate',
  'promote',
  'demote',
] as const;
export type TransitionName = (typeof TRANSITIONS)[number];

/** The transitions that the service offers by status (`lookups.transitions`). */
export type OfferedTransitions = Readonly<Partial<Record<Status, readonly string[]>>>;

/** A request to the transition route. */
export interface Step {
  readonly transition: TransitionName;
  readonly data: Readonly<Partial<Record<'assignee' | 'assessment' | 'rationale' | 'escalation', string>>>;
}

/** Why a change makes no sense for an alert; a key below `alert.refusals`. */
export type Refusal = 'alreadyYours' | 'alreadyTheirs' | 'alreadyThere' | 'notYours' | 'notOffered';

/** Assessments that close an alert as a threat; the others dismiss it. */
const EVIDENCE: ReadonlySet<Assessment> = new Set(['trivial', 'recon', 'attempt', 'compromise', 'mitigated']);

export function escalationOf(assessment: Assessment): Escalation {
  return EVIDENCE.has(assessment) ? 'evidence' : 'miss';
}

/**
 * Returns the requests that make a change, in order, or why it is refused. Several are needed where
 * the status stands in between: a resolved alert is opened again before it gets another verdict.
 */
export function stepsOf(
  change: TriageChange,
  triage: Triage,
  me: string,
  offered: OfferedTransitions,
): readonly Step[] | Refusal {
  const steps = plannedSteps(change, triage, me);
  if (typeof steps === 'string') return steps;
  let state = triage;
  for (const step of steps) {
    if (offered[state.status]?.includes(step.transition) === false) return 'notOffered';
    state = afterStep(step, state, me, '');
  }
  return steps;
}

function plannedSteps(change: TriageChange, triage: Triage, me: string): readonly Step[] | Refusal {
  const { status, assignment, escalation } = triage;
  const isMine = assignment === me;
  switch (change.kind) {
    case 'assess': {
      const { assessment, rationale } = change;
      const isSame = assessment === triage.assessment && (rationale ?? '') === (triage.rationale ?? '');
      if (status === 'resolved' && isSame) return 'alreadyThere';
      const data = rationale === undefined || rationale === '' ? { assessment } : { assessment, rationale };
      return [...opening(status, isMine, me), { transition: 'assess', data }];
    }
    case 'take':
      if (isMine && status === 'in-progress') return 'alreadyYours';
      if (status === 'open' || status === 'in-progress') return [{ transition: 'assign_to_me', data: {} }];
      return opening(status, isMine, me);
    case 'assign':
      if (change.to === assignment) return 'alreadyTheirs';
      if (status === 'resolved') return [{ transition: 're_evaluate', data: { assignee: change.to } }];
      return [{ transition: 'assign_to_other', data: { assignee: change.to } }];
    case 'reopen':
      return status === 'resolved' ? [{ transition: 're_evaluate', data: {} }] : 'notOffered';
    case 'promote':
    case 'demote': {
      const to = change.escalation ?? neighbourOf(escalation, change.kind);
      return to === escalation ? 'alreadyThere' : [{ transition: change.kind, data: { escalation: to } }];
    }
    default:
      return isMine ? [{ transition: change.kind, data: {} }] : 'notYours';
  }
}

/** Escalations, the least serious first. */
export const ESCALATIONS: readonly Escalation[] = ['miss', 'hit', 'alert', 'evidence'];

/** Returns the next escalation above or below; at the end of the scale the same. */
function neighbourOf(escalation: Escalation, direction: 'promote' | 'demote'): Escalation {
  const step = direction === 'promote' ? 1 : -1;
  return ESCALATIONS[ESCALATIONS.indexOf(escalation) + step] ?? escalation;
}

/** Returns what makes an alert ready for a verdict, for a person who may not be its assignee. */
function opening(status: Status, isMine: boolean, me: string): readonly Step[] {
  if (status === 'resolved') return [{ transition: 're_evaluate', data: {} }];
  if (status !== 'on-hold') return [];
  return isMine ? [{ transition: 'resume', data: {} }] : [{ transition: 'assign_to_other', data: { assignee: me } }];
}

/**
 * Returns the triage that a step leads to, as the service computes it, to show it before the answer.
 * @param now in ISO 8601
 */
export function afterStep({ transition, data }: Step, triage: Triage, me: string, now: string): Triage {
  const assignee = data.assignee ?? me;
  switch (transition) {
    case 'assign_to_me':
      return { ...triage, status: 'in-progress', assignment: assignee };
    case 'assign_to_other':
      return { ...triage, status: triage.status === 'on-hold' ? 'in-progress' : triage.status, assignment: assignee };
    case 'release':
      return { ...triage, status: 'open', assignment: UNASSIGNED };
    case 'start':
    case 'resume':
      return { ...triage, status: 'in-progress' };
    case 'pause':
      return { ...triage, status: 'on-hold' };
    case 'assess': {
      const assessment = data.assessment as Assessment;
      const verdict = { assessment, escalation: escalationOf(assessment), rationale: data.rationale, triaged: now };
      return { ...triage, ...verdict, status: 'resolved', assignment: assignee };
    }
    case 're_evaluate': {
      const cleared = { assessment: undefined, rationale: undefined, triaged: undefined, escalation: 'hit' } as const;
      return { ...triage, ...cleared, status: 'in-progress', assignment: assignee };
    }
    case 'promote':
    case 'demote':
      return { ...triage, escalation: data.escalation as Escalation };
    case 'vote':
      return triage;
  }
}

/** Returns the triage after all steps. */
export function afterSteps(steps: readonly Step[], triage: Triage, me: string, now: string): Triage {
  return steps.reduce((state, step) => afterStep(step, state, me, now), triage);
}
