import type { components } from '../../api/generated/operations.ts';

/** The state of the first steps of a new installation. */
export type FirstStepsState = components['schemas']['FirstSteps'];

export type StepName = 'password' | 'key' | 'colleague' | 'demo';

/** Returns which of the steps are done. Demo alerts are of no use beside alerts of one's own. */
export function stepsDone(state: FirstStepsState): Readonly<Record<StepName, boolean>> {
  return {
    password: state.first_password !== 'in_use',
    key: state.has_api_key && state.alerts > 0,
    colleague: state.users > 1 || state.providers.length > 0,
    demo: !state.may_load_demo,
  };
}

/** Returns whether the steps are shown: in an empty system, and while one that was new has some left. */
export function isGreeted(state: FirstStepsState): boolean {
  if (state.first_password === 'unknown') return state.may_load_demo;
  return Object.values(stepsDone(state)).includes(false);
}
