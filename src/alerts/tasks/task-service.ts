import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { type Case, caseDocument } from '../../documents/kinds/case.ts';
import { Forbidden } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { itemsOf } from '../cases/case-items.ts';
import { withVisibleEntries } from '../search/visible-entries.ts';

export const TASK_FILTERS = ['all', 'complete', 'incomplete'] as const;
export type TaskFilter = (typeof TASK_FILTERS)[number];

export interface TaskSearchDependencies {
  cases: Collection<Case>;
  classification: ClassificationEngine;
  /** `auth.users_without_access_control`: users without a filter search all, and get no tasks then. */
  searchesUnfiltered: boolean;
}

type CaseTask = NonNullable<Case['tasks']>[number];
export type TaskSearch = ReturnType<typeof taskSearch>;

const SHOWN = ['case_id', 'title', 'status', 'start', 'end', 'updated'] as const;
const SHOWN_OF_TASK = ['id', 'complete', 'assignment', 'summary', 'item'] as const;
const SHOWN_OF_ITEM = ['id', 'parent', 'name', 'value', 'classification'] as const;

/** Returns a search for tasks of the actor in visible cases; it throws `search_unfiltered`. */
export function taskSearch({ cases, classification, searchesUnfiltered }: TaskSearchDependencies) {
  return async (
    actor: Actor,
    page: { readonly offset: number; readonly rows: number; readonly filter: TaskFilter },
  ) => {
    if (searchesUnfiltered && actor.searchAccess.filter.kind === 'all') {
      throw new Forbidden('search_unfiltered', 'Cannot search tasks without case access controls.');
    }
    const { offset, rows, filter } = page;
    const query = { kind: 'term', field: 'tasks.assignment', value: actor.username } as const;
    const found = cases.stream({ query, fields: [...SHOWN, 'classification', 'items', 'tasks'] }, actor.searchAccess);
    const items: { task: CaseTask; case: ReturnType<typeof shownCase> }[] = [];
    let skipped = 0;
    for await (const { document } of found) {
      for (const task of tasksOf(document, actor.username, filter)) {
        if (skipped < offset) {
          skipped += 1;
          continue;
        }
        if (items.length === rows) return { items, offset, rows, has_more: true };
        const visible = withVisibleEntries(classification, actor.classification, caseDocument, document);
        items.push({ task, case: shownCase(visible) });
      }
    }
    return { items, offset, rows, has_more: false };
  };
}

/** Returns the members of a case that tasks are shown with. */
function shownCase(document: Case) {
  return {
    __index: 'case' as const,
    ...only(document, SHOWN),
    items: itemsOf(document).map((item) => only(item, SHOWN_OF_ITEM)),
  };
}

/** Tasks of a user in their order. A stored task without the mark is incomplete. */
function tasksOf({ tasks }: Case, username: string, filter: TaskFilter): readonly CaseTask[] {
  const isWanted = ({ complete }: CaseTask) => filter === 'all' || (complete === true) === (filter === 'complete');
  return (tasks ?? [])
    .filter((task) => task.assignment === username && isWanted(task))
    .map((task) => only(task, SHOWN_OF_TASK))
    .sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
}

function sortKey({ id, summary, item, complete }: CaseTask): string {
  return [id, summary, item ?? '', String(complete)].join('\0');
}

/** These members of an object, as far as it has them. */
function only<T extends object, const Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const present = keys.flatMap((key) =>
    object[key] === undefined || object[key] === null ? [] : [[key, object[key]]],
  );
  return Object.fromEntries(present) as Pick<T, Key>;
}
