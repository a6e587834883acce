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

type Json = Readonly<Record<string, unknown>>;

const FIELD = 'howler.assignment';

/** Returns what a live frame says of a new assignment to a user, unless they took the alert themselves. */
export function assignmentOf(hit: unknown, username: string): Assignment | undefined {
  const howler = objectOf(objectOf(hit)?.howler);
  const id = howler?.id;
  if (howler === undefined || typeof id !== 'string' || howler.assignment !== username) return undefined;
  const log = Array.isArray(howler.log) ? howler.log.map(objectOf) : [];
  const last = log.findLast((entry) => entry?.key === FIELD);
  if (last?.new_value !== username || typeof last.user !== 'string' || last.user === username) return undefined;
  const threat = objectOf(howler.outline)?.threat;
  return {
    id,
    analytic: String(howler.analytic ?? ''),
    threat: typeof threat === 'string' && threat !== '' ? threat : undefined,
    by: last.user,
    mark: `${id} ${String(last.timestamp)}`,
  };
}

function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
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
