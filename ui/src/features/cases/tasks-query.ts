import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';
import type { CaseRow, CaseTask } from './case-api.ts';

/** A task with the case that it belongs to. */
export interface PlacedTask {
  readonly task: CaseTask;
  readonly present: CaseRow;
}

/**
 * Returns the query for cases with a task of a user, and with an open task: of one case, the index
 * does not know which members belong to the same task.
 */
export function tasksQuery(username: string): string {
  return `tasks.assignment:${quotedPhrase(username)} AND tasks.complete:false`;
}

/** Returns the open tasks of a user in some cases. */
export function openTasksOf(username: string, cases: readonly CaseRow[]): PlacedTask[] {
  return cases.flatMap((present) =>
    (present.tasks ?? [])
      .filter(({ complete, assignment }) => !complete && assignment === username)
      .map((task) => ({ task, present })),
  );
}
