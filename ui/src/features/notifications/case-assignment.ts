import { listMember, memberOf, stringMember } from '../../json/members.ts';

/** A task that another person gave to the reader, or a case in which they made them a participant. */
export interface CaseAssignment {
  /** The case. */
  readonly id: string;
  readonly title: string;
  /** Summary of the task; undefined for the case itself. */
  readonly task: string | undefined;
  /** User who assigned it. */
  readonly by: string;
  /** Names what was assigned: the task, or the case. */
  readonly mark: string;
}

/**
 * Knows what of each case belongs to a user, because a frame of a case tells its present members and
 * who changed it last, but not which task was changed.
 */
export class CaseAssignments {
  readonly #username: string;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(username: string) {
    this.#username = username;
  }

  /** Takes the present state of cases as known: it is no news. */
  note(cases: readonly unknown[]): void {
    for (const present of cases) this.changed(present);
  }

  /** Returns what another person assigned since the case was last seen, each once. */
  changed(present: unknown): CaseAssignment[] {
    const id = stringMember(present, 'case_id');
    if (id === '') return [];
    const mine = this.#assignedBy(present, id);
    const known = this.#known.get(id);
    if (mine.length > 0 || known !== undefined) this.#known.set(id, new Set(mine.map(({ mark }) => mark)));
    return mine.filter(({ mark, by }) => known?.has(mark) !== true && by !== '' && by !== this.#username);
  }

  #assignedBy(record: unknown, id: string): CaseAssignment[] {
    const last = listMember(record, 'log').at(-1);
    const common = { id, title: stringMember(record, 'title'), by: stringMember(last, 'user') };
    const tasks = listMember(record, 'tasks')
      .filter((task) => memberOf(task, 'assignment') === this.#username && memberOf(task, 'complete') !== true)
      .map((task) => ({ ...common, task: stringMember(task, 'summary'), mark: `${id} ${stringMember(task, 'id')}` }));
    const takesPart = listMember(record, 'participants').includes(this.#username);
    return takesPart ? [...tasks, { ...common, task: undefined, mark: id }] : tasks;
  }
}
