import { listMember, memberOf, stringMember } from '../../json/members.ts';

/** An alert that another person assigned to the reader. */
export interface Assignment {
  readonly id: string;
  readonly analytic: string;
  readonly threat: string | undefined;
  /** User who assigned it. */
  readonly by: string;
  /** Differs between two assignments of the same alert. */
  readonly mark: string;
}

const FIELD = 'howler.assignment';

/** Returns what a live frame says of a new assignment to a user, unless they took the alert themselves. */
export function assignmentOf(hit: unknown, username: string): Assignment | undefined {
  const howler = memberOf(hit, 'howler');
  const id = stringMember(howler, 'id');
  if (id === '' || memberOf(howler, 'assignment') !== username) return undefined;
  const last = listMember(howler, 'log').findLast((entry) => memberOf(entry, 'key') === FIELD);
  const by = stringMember(last, 'user');
  if (memberOf(last, 'new_value') !== username || by === '' || by === username) return undefined;
  const threat = stringMember(memberOf(howler, 'outline'), 'threat');
  return {
    id,
    analytic: stringMember(howler, 'analytic'),
    threat: threat === '' ? undefined : threat,
    by,
    mark: `${id} ${stringMember(last, 'timestamp')}`,
  };
}

/** Assignments of which each is announced once, though every later change of the alert repeats them. */
export class Announcements {
  readonly #since: number;
  readonly #marks = new Set<string>();

  /** @param since earlier assignments, in milliseconds since 1970, are no news */
  constructor(since: number) {
    this.#since = since;
  }

  isNew({ id, mark }: Assignment): boolean {
    const at = Date.parse(mark.slice(id.length + 1));
    if (at < this.#since || this.#marks.has(mark)) return false;
    this.#marks.add(mark);
    return true;
  }
}
