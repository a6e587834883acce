import { cutText } from '../../../../design/states/cut-text.ts';
import { translate } from '../../../../i18n/translation.ts';
import type { Triage } from '../alert.ts';
import type { Change } from './changes.ts';
import type { TriageProblem } from './problems.ts';

/** Characters of a change in the title of its progress. */
const MAX_WORDS = 80;

/** Returns the sentence for a change that was made of `count` alerts. */
export function titleOf(change: Change, count: number): string {
  const t = translate;
  switch (change.kind) {
    case 'assess':
      return t('alert.done.assess', { count, assessment: t(`data.assessment.${change.assessment}`) });
    case 'assign':
      return t('alert.done.assign', { count, user: change.to });
    default:
      return t(`alert.done.${change.kind}`, { count });
  }
}

/** Returns a change that was not made yet in words, with what was typed. */
export function changeWords(change: Change): string {
  const t = translate;
  switch (change.kind) {
    case 'assess': {
      const assessment = t(`data.assessment.${change.assessment}`);
      return change.rationale ? `${assessment}: ${change.rationale}` : assessment;
    }
    case 'assign':
      return t('alert.changes.assign', { user: change.to });
    case 'comment':
      return change.text;
    case 'label':
      return [...change.add.map((label) => `+${label}`), ...change.remove.map((label) => `−${label}`)].join(' ');
    default:
      return t(`alert.changes.${change.kind}`);
  }
}

/** Returns the words for a change that is being made of `count` alerts. */
export function bulkTitle(change: Change, count: number): string {
  return translate('alert.bulk.title', { change: cutText(changeWords(change), MAX_WORDS), count });
}

/** Returns a triage in words: its status, its assignee, its verdict. */
export function triageWords({ status, assignment, assessment, escalation }: Triage): string {
  const t = translate;
  const who = assignment === 'unassigned' ? t('data.user.unassigned') : assignment;
  const verdict = assessment === undefined ? t(`data.escalation.${escalation}`) : t(`data.assessment.${assessment}`);
  return [t(`data.status.${status}`), verdict, who].join(' · ');
}

/** Returns the sentence for a change that was not made. */
export function problemSentence(problem: TriageProblem): string {
  const t = translate;
  switch (problem.kind) {
    case 'conflict':
      return t('alert.problems.changed', { state: triageWords(problem.present.alert.howler) });
    case 'changed':
      return t('alert.problems.changed', { state: triageWords(problem.present) });
    case 'unmatched':
      return t('alert.problems.unmatched');
    case 'gone':
      return t('alert.problems.gone');
    case 'refused':
      return t(`alert.refusals.${problem.refusal}`);
    case 'forbidden':
      return t('alert.problems.forbidden', { message: problem.message });
    case 'partial':
      return t('alert.problems.partial', { reason: problemSentence(problem.reason) });
    case 'overtaken':
      return problem.by === undefined ? t('alert.undo.overtaken') : t('alert.undo.overtakenBy', { user: problem.by });
    case 'failed':
      return problem.errorId === undefined ? problem.message : `${problem.message} (${problem.errorId})`;
  }
}
