import type { Assessment } from '../alert.ts';

/** Assessments in the order of lists, each with the letter that chooses it. */
export const ASSESSMENT_LETTERS: Readonly<Record<Assessment, string>> = {
  compromise: 'c',
  attempt: 'p',
  recon: 'r',
  trivial: 't',
  mitigated: 'm',
  ambiguous: 'a',
  security: 's',
  development: 'd',
  'false-positive': 'f',
  legitimate: 'l',
};

export const ASSESSMENTS = Object.keys(ASSESSMENT_LETTERS) as readonly Assessment[];

/** The part of an analytic that decides how its alerts are assessed. */
export interface TriageSettings {
  readonly valid_assessments?: readonly string[] | undefined;
  readonly rationales?: readonly string[] | undefined;
  /** True: an assessment needs no reason, and is made without asking for one. */
  readonly skip_rationale?: boolean | undefined;
}

/** Returns the assessments that an analytic allows, in its order; all of them without settings. */
export function validAssessments(settings: TriageSettings | undefined): readonly Assessment[] {
  const valid = settings?.valid_assessments?.flatMap((name) => ASSESSMENTS.filter((known) => known === name)) ?? [];
  return valid.length === 0 ? ASSESSMENTS : valid;
}

/** Returns what alerts of several analytics have in common; an empty list of settings allows all. */
export function commonSettings(settings: readonly (TriageSettings | undefined)[]): TriageSettings {
  const lists = settings.map(validAssessments);
  const valid = ASSESSMENTS.filter((assessment) => lists.every((list) => list.includes(assessment)));
  const [first] = lists;
  return {
    valid_assessments: lists.length === 1 ? first : valid,
    rationales: [...new Set(settings.flatMap((one) => one?.rationales ?? []))],
    skip_rationale: settings.length > 0 && settings.every((one) => one?.skip_rationale === true),
  };
}
