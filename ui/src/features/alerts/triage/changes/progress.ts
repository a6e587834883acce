import { type Alert, isSameTriage, type Triage, triageOf, VOTES } from '../alert.ts';
import { type Change, movesTriage } from './changes.ts';
import { afterStep, type OfferedTransitions, type Step, stepsOf } from './transitions.ts';

/**
 * The share of a change that an alert shows: `none`, a `part` of its requests, `all`, or `other`: a
 * state that no part of the change leads to, so that another person changed the alert.
 */
export type Progress = 'none' | 'part' | 'all' | 'other';

interface Writer {
  readonly me: string;
  readonly offered: OfferedTransitions;
}

/**
 * Returns how much of a change was written, where an answer was lost or one of several requests was
 * refused.
 * @param before the alert before the first request
 */
export function progressOf(change: Change, before: Alert, present: Alert, { me, offered }: Writer): Progress {
  if (movesTriage(change)) {
    const [start, reached] = [triageOf(before), triageOf(present)];
    const steps = stepsOf(change, start, me, offered);
    return stepProgress(typeof steps === 'string' ? [] : steps, start, reached, me);
  }
  switch (change.kind) {
    case 'label': {
      const had = new Set<string>(before.howler.labels?.[change.set]);
      const has = new Set<string>(present.howler.labels?.[change.set]);
      if (change.add.every((label) => has.has(label)) && !change.remove.some((label) => has.has(label))) return 'all';
      const isChanged = [...change.add, ...change.remove].some((label) => had.has(label) !== has.has(label));
      return isChanged ? 'part' : 'none';
    }
    case 'comment': {
      const known = new Set(before.howler.comment.map(({ id }) => id));
      const isMine = ({ id, user, value }: Alert['howler']['comment'][number]) =>
        !known.has(id) && user === me && value === change.text;
      return present.howler.comment.some(isMine) ? 'all' : 'none';
    }
    case 'vote':
      return votesOf(before, change.email) === votesOf(present, change.email) ? 'none' : 'all';
    case 'file': {
      const isIn = ({ howler }: Alert) => howler.related?.includes(change.caseId) === true;
      return !isIn(before) && isIn(present) ? 'all' : 'none';
    }
  }
}

function stepProgress(steps: readonly Step[], start: Triage, reached: Triage, me: string): Progress {
  const states = [start];
  for (const step of steps) states.push(afterStep(step, states.at(-1) ?? start, me, ''));
  const count = states.findLastIndex((state) => isSameTriage(state, reached));
  if (count === -1) return 'other';
  if (count === 0) return 'none';
  return count === steps.length ? 'all' : 'part';
}

function votesOf({ howler }: Alert, email: string): string {
  return VOTES.filter((vote) => howler.votes?.[vote]?.includes(email)).join(' ');
}
