import type { Trigger } from '../../../documents/kinds/action.ts';
import { HIT_ESCALATIONS, UNASSIGNED } from '../../../documents/kinds/hit.ts';
import { ASSESSMENTS, type Assessment, type Status } from '../../../documents/kinds/record-parts.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import { type HitChange, NOW } from '../changes/hit-log.ts';

/** Lists the transitions, in the order in which refusals list them. */
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

export type Escalation = (typeof HIT_ESCALATIONS)[number];

/** Verdicts, and the escalation that each one means. */
export const ESCALATION_OF_ASSESSMENT = {
  ambiguous: 'miss',
  security: 'miss',
  development: 'miss',
  'false-positive': 'miss',
  legitimate: 'miss',
  trivial: 'evidence',
  recon: 'evidence',
  attempt: 'evidence',
  compromise: 'evidence',
  mitigated: 'evidence',
} as const satisfies Record<Assessment, Escalation>;

export const VOTES = ['malicious', 'obscure', 'benign'] as const;
export type Vote = (typeof VOTES)[number];
/** A voter has one vote; an old one is looked for in this order. */
const VOTE_SEARCH_ORDER: readonly Vote[] = ['benign', 'obscure', 'malicious'];

/** The state of an alert, as the table needs it. */
export interface TriagedHit {
  readonly status: Status;
  readonly assignment: string;
  readonly votes: Readonly<Record<Vote, readonly string[]>>;
}

/** Data of a transition; `email` is that of the voter. Each transition reads its own members. */
export type TransitionData = {
  readonly [Name in 'assignee' | 'assessment' | 'rationale' | 'vote' | 'email' | 'escalation']?: string | undefined;
};

/** One change of a member of `howler`. A `set` of null clears; of `NOW`: the moment of the change. */
export type TriageChange = HitChange & { readonly value: string | null };

/** Returns the trigger of a transition, if it has one: a verdict promotes or demotes the alert. */
export function triggerOf(transition: TransitionName, { assessment }: TransitionData): Trigger | undefined {
  switch (transition) {
    case 'promote':
    case 're_evaluate':
      return 'promote';
    case 'demote':
      return 'demote';
    case 'assess':
      return ASSESSMENTS.some((known) => known === assessment && ESCALATION_OF_ASSESSMENT[known] === 'evidence')
        ? 'promote'
        : 'demote';
    default:
      return undefined;
  }
}

interface Attempt {
  readonly transition: TransitionName;
  readonly hit: TriagedHit;
  readonly username: string;
  readonly data: TransitionData;
}

interface Rule {
  /** Undefined: the status stays, and the log leaves it out. */
  readonly to?: Status;
  readonly steps: readonly ((attempt: Attempt) => readonly TriageChange[])[];
}

const PROMOTE: Rule = { steps: [escalate('alert')] };
const DEMOTE: Rule = { steps: [escalate('hit')] };

/** Maps each status to the transitions that it allows. */
const RULES: Readonly<Record<Status, Readonly<Partial<Record<TransitionName, Rule>>>>> = {
  open: {
    assign_to_me: { to: 'in-progress', steps: [assign] },
    assign_to_other: { to: 'open', steps: [assignToOther] },
    start: { to: 'in-progress', steps: [checkOwnership] },
    release: { to: 'open', steps: [release] },
    assess: { to: 'resolved', steps: [assess, assign] },
    vote: { to: 'open', steps: [castVote, giveUpOpenHit] },
    promote: PROMOTE,
    demote: DEMOTE,
  },
  'in-progress': {
    assign_to_me: { to: 'in-progress', steps: [assign] },
    assign_to_other: { to: 'in-progress', steps: [assignToOther] },
    release: { to: 'open', steps: [release] },
    pause: { to: 'on-hold', steps: [checkOwnership] },
    assess: { to: 'resolved', steps: [assess, assign] },
    vote: { to: 'in-progress', steps: [castVote, rejectOwnVote] },
    promote: PROMOTE,
    demote: DEMOTE,
  },
  'on-hold': {
    assign_to_other: { to: 'in-progress', steps: [assignToOther] },
    resume: { to: 'in-progress', steps: [checkOwnership] },
    vote: { to: 'on-hold', steps: [castVote, rejectOwnVote] },
    promote: PROMOTE,
    demote: DEMOTE,
  },
  resolved: {
    re_evaluate: { to: 'in-progress', steps: [reopen, assign] },
    vote: { to: 'resolved', steps: [castVote, rejectOwnVote] },
    promote: PROMOTE,
    demote: DEMOTE,
  },
};

/** Returns the names of the transitions that a status allows. */
export function transitionsFrom(status: Status): readonly TransitionName[] {
  return TRANSITIONS.filter((name) => RULES[status][name] !== undefined);
}

/**
 * Returns the changes that a transition makes, in the order of their log entries.
 * @throws InvalidInput `transition_not_allowed`, `not_assigned_to_you`, `assignee_missing`, `assignee_unchanged`,
 *   `assessment_missing`, `assessment_unknown`, `assessment_not_allowed`, `vote_unknown`, `voter_missing`, `own_vote`, `escalation_unknown`
 */
export function triage(attempt: Attempt): readonly TriageChange[] {
  const rule = RULES[attempt.hit.status][attempt.transition];
  if (rule === undefined) {
    const message = `Current status '${attempt.hit.status}' does not allow the '${attempt.transition}' transition.`;
    throw new InvalidInput('transition_not_allowed', message);
  }
  // A later change of the same member replaces the earlier one in its place: the log of an assessment shows the status first.
  const changes = new Map<string, TriageChange>();
  for (const step of rule.steps) for (const change of step(attempt)) changes.set(change.key, change);
  if (rule.to !== undefined) changes.set('howler.status', { kind: 'set', key: 'howler.status', value: rule.to });
  return [...changes.values()];
}

function assign({ username, data }: Attempt): readonly TriageChange[] {
  return [{ kind: 'set', key: 'howler.assignment', value: data.assignee || username }];
}

function assignToOther(attempt: Attempt): readonly TriageChange[] {
  if (!attempt.data.assignee) {
    throw new InvalidInput('assignee_missing', 'Must specify an assignee when assigning to another user.');
  }
  if (attempt.data.assignee === attempt.hit.assignment) {
    const message = 'Must specify an assignee that is different from the current assigned user.';
    throw new InvalidInput('assignee_unchanged', message);
  }
  return assign(attempt);
}

function release({ hit, username }: Attempt): readonly TriageChange[] {
  if (hit.assignment !== username) {
    throw new InvalidInput('not_assigned_to_you', "Cannot release hit that isn't assigned to you.");
  }
  return [{ kind: 'set', key: 'howler.assignment', value: UNASSIGNED }];
}

function checkOwnership({ hit, username }: Attempt): readonly TriageChange[] {
  if (hit.assignment === username) return [];
  throw new InvalidInput('not_assigned_to_you', 'Cannot use this transition when the hit is not assigned to you.');
}

function assess({ transition, data }: Attempt): readonly TriageChange[] {
  if (!data.assessment) throw new InvalidInput('assessment_missing', statusContradiction(transition));
  return verdict(knownAssessment(data.assessment), data.rationale ?? null);
}

function reopen({ transition, data }: Attempt): readonly TriageChange[] {
  if (data.assessment) {
    knownAssessment(data.assessment);
    throw new InvalidInput('assessment_not_allowed', statusContradiction(transition));
  }
  return verdict(null, null);
}

/** Returns the changes of a verdict, for any status; null takes a verdict back. */
export function verdict(assessment: Assessment | null, rationale: string | null): readonly TriageChange[] {
  return [
    { kind: 'set', key: 'howler.assessment', value: assessment },
    { kind: 'set', key: 'howler.escalation', value: assessment === null ? null : ESCALATION_OF_ASSESSMENT[assessment] },
    { kind: 'set', key: 'howler.rationale', value: rationale, silent: true },
    { kind: 'set', key: 'howler.triaged', value: assessment === null ? null : NOW },
    { kind: 'set', key: 'howler.status', value: assessment === null ? 'in-progress' : 'resolved' },
  ];
}

function knownAssessment(text: string): Assessment {
  const known = ASSESSMENTS.find((assessment) => assessment === text);
  if (known !== undefined) return known;
  throw new InvalidInput('assessment_unknown', `Must set assessment to one of ${ASSESSMENTS.join(', ')}.`);
}

/** Words a missing or superfluous assessment as clients of the public system compare it, gap included. */
function statusContradiction(transition: TransitionName): string {
  const gap = ' '.repeat(25);
  return `Transition ${transition} attempted to update the status howler.status with${gap}a different value than the transition destination.`;
}

function escalate(standard: Escalation) {
  return ({ data }: Attempt): readonly TriageChange[] => {
    const escalation = data.escalation ?? standard;
    if (!HIT_ESCALATIONS.some((known) => known === escalation)) {
      throw new InvalidInput('escalation_unknown', `Must set escalation to one of ${HIT_ESCALATIONS.join(', ')}.`);
    }
    return [{ kind: 'set', key: 'howler.escalation', value: escalation }];
  };
}

function castVote({ hit, data }: Attempt): readonly TriageChange[] {
  const { email } = data;
  if (!email) throw new InvalidInput('voter_missing', 'Could not vote on Hit as no email was provided');
  const vote = VOTES.find((known) => known === data.vote);
  if (vote === undefined) {
    throw new InvalidInput('vote_unknown', `vote is not optional. Provide a value from: ${VOTES.join(', ')}`);
  }
  const changes: TriageChange[] = [];
  const old = VOTE_SEARCH_ORDER.find((candidate) => hit.votes[candidate].includes(email));
  if (old !== undefined) changes.push({ kind: 'remove', key: `howler.votes.${old}`, value: email });
  if (old !== vote) changes.push({ kind: 'append_missing', key: `howler.votes.${vote}`, value: email });
  return changes;
}

/** Unassigns an open alert from an assignee who votes on it. */
function giveUpOpenHit({ hit, username }: Attempt): readonly TriageChange[] {
  if (hit.assignment !== username) return [];
  return [{ kind: 'set', key: 'howler.assignment', value: UNASSIGNED }];
}

function rejectOwnVote({ hit, username }: Attempt): readonly TriageChange[] {
  if (hit.assignment !== username) return [];
  throw new InvalidInput('own_vote', 'Cannot vote on hit you are assigned to.');
}
