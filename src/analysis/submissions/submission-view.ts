import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';

/** Returns a submission as clients know it, with null for each field that it lacks. */
export function submissionView(submission: Submission) {
  const view = wholeOutput(submissionDocument, submission);
  return {
    ...view,
    params: submission.state === 'submitted' ? submittedParams(view.params) : completedParams(view.params),
  };
}

/** A submission under way has null for every parameter without a value. */
function submittedParams(params: Submission['params']) {
  return { filetype_override: null, initial_data: null, ...params };
}

/** A completed submission has no empty lists of services, and no parameters without a value. */
function completedParams(params: Submission['params']) {
  const { services, filetype_override, initial_data, ...others } = params;
  return { ...others, ...withoutEmpty({ filetype_override, initial_data }), services: withoutEmpty(services) };
}

/** Leaves out null and empty lists. */
function withoutEmpty<T extends object>(object: T): Partial<T> {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}
