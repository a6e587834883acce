import { searchRecords } from '../../api/alert-searches.ts';
import { alerts, dataOf, READ_HEADERS, versionedDataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { isSameStored } from '../../json/equality.ts';
import { atPresentVersion, type VersionHeaders } from '../conflicts/present-version.ts';
import type { FoundPage } from '../query/results/use-paged-rows.ts';
import { assertUnchanged } from './case-conflict.ts';

export type Case = components['schemas']['Case'];
export type CaseItem = components['schemas']['CaseItem'];
export type CaseTask = components['schemas']['CaseTask'];
export type CaseRule = components['schemas']['CaseRule'];
export type CaseLog = components['schemas']['CaseLog'];

export const CASE_STATUSES = ['open', 'in-progress', 'on-hold', 'resolved'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
export const CASE_ESCALATIONS = ['normal', 'focus', 'crisis'] as const;
/** Types of items that can be added. Those of a later version are shown by their name. */
export const ITEM_TYPES = ['hit', 'event', 'case', 'reference', 'markdown', 'folder'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** The members of a case that people change as a whole. */
export type CaseMembers = Partial<
  Pick<
    Case,
    'title' | 'summary' | 'overview' | 'status' | 'escalation' | 'participants' | 'targets' | 'threats' | 'indicators'
  >
>;

export interface NewItem {
  readonly type: ItemType;
  readonly value: string;
  readonly name: string | null;
  readonly parent: string | null;
}

export interface NewRule {
  readonly query: string;
  readonly destination: string;
  readonly indexes: ('hit' | 'event')[];
  readonly timeframe: number | null;
  readonly expire_after_resolved: boolean;
}

/** The members of a rule that can be changed; its indexes cannot. */
export type RuleMembers = Partial<Omit<NewRule, 'indexes'>> & { readonly enabled?: boolean };

/** The members of a task that a form changes; an absent one is taken away. */
export interface TaskMembers {
  readonly summary: string;
  readonly assignment: string | undefined;
  readonly item: string | undefined;
}

/** The members of an item that can be changed; the value of notes and references alone. */
export interface ItemMembers {
  readonly name?: string;
  /** Folder; null: the root. */
  readonly parent?: string | null;
  readonly value?: string;
}

/** The members that a list shows; items are left out, because there may be thousands. */
export type CaseRow = Pick<Case, 'case_id' | 'title' | 'summary' | 'status' | 'escalation' | 'classification'> &
  Pick<Case, 'created' | 'updated' | 'participants' | 'tasks'>;

const ROW_FIELDS = 'case_id,title,summary,status,escalation,classification,created,updated,participants,tasks';

export interface CaseSearch {
  readonly query: string;
  readonly filters?: readonly string[];
  readonly sort: string;
  readonly offset: number;
  readonly rows: number;
}

/** The requests of the pages of cases. Every refusal is thrown as an ApiProblem. */
export const caseApi = {
  read(id: string, signal?: AbortSignal): Promise<Case> {
    return dataOf(alerts.GET('/api/v2/case/{id}', { params: { path: { id } }, ...(signal ? { signal } : {}) }));
  },

  create(title: string, summary: string): Promise<Case> {
    const params = { query: { refresh: 'wait_for' as const } };
    return dataOf(alerts.POST('/api/v2/case/', { params, body: { title, summary } }));
  },

  /** Hidden cases are left out. */
  search({ query, filters = [], sort, offset, rows }: CaseSearch, signal: AbortSignal): Promise<FoundPage<CaseRow>> {
    const shown = { query, filters: ['visible:true', ...filters], sort, offset, rows, fl: ROW_FIELDS };
    return searchRecords<CaseRow>(shown, { indexes: 'case', signal });
  },

  /**
   * Writes members of a case, unless another person changed the same ones since they were seen.
   * @param seen the members as the person saw them; undefined overwrites them
   * @throws CaseConflict
   */
  change(id: string, seen: CaseMembers | undefined, change: CaseMembers): Promise<Case> {
    return changePresent(id, (present) => {
      if (seen !== undefined) assertUnchanged(seen, change, present);
      return change;
    });
  },

  /** Replaces the tasks by what a function makes of the present ones, so that none of others is lost. */
  changeTasks(id: string, plan: (tasks: readonly CaseTask[]) => readonly CaseTask[]): Promise<Case> {
    return changePresent(id, ({ tasks = [] }) => ({ tasks: [...plan(tasks)] }));
  },

  /**
   * Writes members of a task, unless another person changed the same ones since they were seen. Adds
   * the task where there is none, also where another person removed it meanwhile.
   * @throws CaseConflict
   */
  changeTask(id: string, seen: CaseTask, change: TaskMembers, overwrites: boolean): Promise<Case> {
    return changePresent(id, (present) => {
      const { tasks = [] } = present;
      const now = tasks.find((task) => task.id === seen.id);
      if (now === undefined) return { tasks: [...tasks, withMembers(seen, change)] };
      const names = Object.keys(change) as (keyof TaskMembers)[];
      const changed = names.filter((name) => change[name] !== seen[name]);
      const members: Partial<TaskMembers> = Object.fromEntries(changed.map((name) => [name, change[name]]));
      if (!overwrites) assertUnchanged(seen, members, present, now);
      return { tasks: tasks.map((task) => (task === now ? withMembers(now, members) : task)) };
    });
  },

  addItem(id: string, item: NewItem): Promise<Case> {
    return dataOf(alerts.POST('/api/v2/case/{id}/items', { params: { path: { id } }, body: { ...item } }));
  },

  /**
   * Writes members of an item, unless another person changed its value since it was seen.
   * @throws CaseConflict
   */
  changeItem(
    id: string,
    seen: Pick<CaseItem, 'id' | 'value'>,
    change: ItemMembers,
    overwrites: boolean,
  ): Promise<Case> {
    const { value } = change;
    if (value === undefined) return caseApi.moveItem(id, seen.id, change);
    return changeCase(id, (present, headers) => {
      const item = present.items?.find((one) => one.id === seen.id);
      // The service says that an item is gone.
      if (!overwrites && item !== undefined) assertUnchanged({ value: seen.value }, { value }, present, item);
      return caseApi.moveItem(id, seen.id, change, headers);
    });
  },

  moveItem(id: string, item: string, change: ItemMembers, headers: VersionHeaders = {}): Promise<Case> {
    const body = { id: item, ...change };
    return dataOf(alerts.PUT('/api/v2/case/{id}/items', { params: { path: { id } }, body, headers }));
  },

  /** Folders go with what they hold. */
  removeItems(id: string, ids: readonly string[]): Promise<Case> {
    const body = { ids: [...ids], force: true };
    return dataOf(alerts.DELETE('/api/v2/case/{id}/items', { params: { path: { id } }, body }));
  },

  addRule(id: string, rule: NewRule): Promise<Case> {
    return dataOf(alerts.POST('/api/v2/case/{id}/rules', { params: { path: { id } }, body: { ...rule } }));
  },

  /**
   * Writes those members of a rule that differ from the seen ones, unless another person changed the
   * same ones since.
   * @param overwrites true writes them in any case
   * @throws CaseConflict
   */
  changeRule(
    id: string,
    rule_id: string,
    { seen, change, overwrites }: { seen: RuleMembers | CaseRule; change: RuleMembers; overwrites: boolean },
  ): Promise<Case> {
    const names = Object.keys(change) as (keyof RuleMembers)[];
    const changed = names.filter((name) => !isSameStored(change[name], seen[name]));
    const members: RuleMembers = Object.fromEntries(changed.map((name) => [name, change[name]]));
    return changeCase(id, (present, headers) => {
      const rule = present.rules?.find((one) => one.rule_id === rule_id);
      if (changed.length === 0) return Promise.resolve(present);
      // The service says that a rule is gone.
      if (!overwrites && rule !== undefined) assertUnchanged(seen, members, present, rule);
      const params = { path: { id, rule_id } };
      return dataOf(alerts.PUT('/api/v2/case/{id}/rules/{rule_id}', { params, body: { ...members }, headers }));
    });
  },

  removeRule(id: string, rule_id: string): Promise<Case> {
    return dataOf(alerts.DELETE('/api/v2/case/{id}/rules/{rule_id}', { params: { path: { id, rule_id } } }));
  },

  async countBackfill(id: string, rule_id: string, since: string, signal: AbortSignal): Promise<number> {
    const options = { params: { path: { id, rule_id } }, body: { since }, headers: READ_HEADERS, signal };
    return (await dataOf(alerts.POST('/api/v2/case/{id}/rules/{rule_id}/backfill/count', options))).count;
  },

  async backfill(id: string, rule_id: string, since: string): Promise<number> {
    const options = { params: { path: { id, rule_id } }, body: { since } };
    return (await dataOf(alerts.POST('/api/v2/case/{id}/rules/{rule_id}/backfill', options))).queued;
  },

  hide(id: string): Promise<unknown> {
    return alerts.POST('/api/v2/case/hide', { params: { query: { refresh: 'wait_for' } }, body: [id] });
  },
};

function withMembers({ summary, assignment, item, ...task }: CaseTask, change: Partial<TaskMembers>): CaseTask {
  const { summary: words, ...optional } = { summary, assignment, item, ...change };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { ...task, summary: words, ...Object.fromEntries(given) };
}

/**
 * Changes members of the version of a case that was just read.
 * @param plan returns the members to write; it may throw to refuse
 */
function changePresent(id: string, plan: (present: Case) => Readonly<Record<string, unknown>>): Promise<Case> {
  const params = { path: { id } };
  return changeCase(id, (present, headers) =>
    dataOf(alerts.PUT('/api/v2/case/{id}', { params, body: plan(present), headers })),
  );
}

/** Reads a case and writes to that version of it. */
function changeCase(id: string, write: (present: Case, headers: VersionHeaders) => Promise<Case>): Promise<Case> {
  return atPresentVersion(() => versionedDataOf(alerts.GET('/api/v2/case/{id}', { params: { path: { id } } })), write);
}
