import { isSameValue } from '../../../../json/equality.ts';
import { valueAt } from '../../../../json/members.ts';

/** Changes of the rows of a search since it ran. */
export interface LiveChanges {
  /** Alerts that match by now and are not among the rows. */
  readonly waiting: number;
  readonly changed: ReadonlySet<string>;
  /** Alerts that are gone; their rows stay until the next search. */
  readonly deleted: ReadonlySet<string>;
}

export const NO_CHANGES: LiveChanges = { waiting: 0, changed: new Set(), deleted: new Set() };

interface Row {
  readonly howler: { readonly id: string };
}

/** The rows of one search, and what is asked about them. */
export interface FollowedRows<Changing extends Row> {
  /** Matches that the search found when it ran; undefined before its answer. */
  readonly found: () => number | undefined;
  /** Rows in sight. */
  readonly visible: () => readonly Changing[];
  /** Rows in memory. */
  readonly inMemory: () => readonly Changing[];
  readonly update: (change: (row: Changing) => Changing) => void;
  /** Fields that the list shows. */
  readonly fields: readonly string[];
  /** Reads rows as they are now, whether they match or not. */
  readonly readRows: (ids: readonly string[], signal: AbortSignal) => Promise<readonly Changing[]>;
  /** Counts what matches and was created since the search ran. */
  readonly countCreated: (signal: AbortSignal) => Promise<number>;
  /** Counts what else matches, of some alerts or of all. */
  readonly countOthers: (ids: readonly string[] | undefined, signal: AbortSignal) => Promise<number>;
}

/** Rows that are read together; those in sight are never more. */
const AT_ONCE = 200;

/** Follows what happens to the rows of one search. Nothing moves: rows change in place, or are marked. */
export class RowChanges<Changing extends Row> {
  readonly #rows: FollowedRows<Changing>;
  readonly #onChange: (changes: LiveChanges) => void;
  /** The order in which news of an alert came: an answer that was asked for before them is older. */
  readonly #news = new Map<string, number>();
  #moment = 0;
  #changes = NO_CHANGES;
  #isPolling = false;

  constructor(rows: FollowedRows<Changing>, onChange: (changes: LiveChanges) => void) {
    this.#rows = rows;
    this.#onChange = onChange;
  }

  /** Notes that an alert changed, and that its row, if there is one, shows it already. */
  note(id: string): void {
    this.#moment += 1;
    this.#news.set(id, this.#moment);
    if (this.#rows.inMemory().some(({ howler }) => howler.id === id)) this.#mark([id], []);
  }

  /** Reads the rows in sight again and counts what is new. A poll that still runs is not repeated. */
  async poll(signal: AbortSignal): Promise<void> {
    if (this.#isPolling || this.#rows.found() === undefined) return;
    this.#isPolling = true;
    try {
      await this.#refresh(this.#rows.visible(), signal);
      await this.#count(signal);
    } finally {
      this.#isPolling = false;
    }
  }

  /** Reads all rows in memory again, those in sight first, for example after the connection was cut. */
  async refresh(signal: AbortSignal): Promise<void> {
    await this.#refresh([...new Set([...this.#rows.visible(), ...this.#rows.inMemory()])], signal);
  }

  async #refresh(rows: readonly Changing[], signal: AbortSignal): Promise<void> {
    const ids = rows.map(({ howler }) => howler.id).filter((id) => !this.#changes.deleted.has(id));
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const part = ids.slice(start, start + AT_ONCE);
      const askedAt = this.#moment;
      const read = await this.#rows.readRows(part, signal);
      if (signal.aborted) return;
      this.#take(new Map(read.map((row) => [row.howler.id, row])), part, askedAt);
    }
  }

  #take(read: ReadonlyMap<string, Changing>, ids: readonly string[], askedAt: number): void {
    const changed: string[] = [];
    const isOvertaken = (id: string) => (this.#news.get(id) ?? 0) > askedAt;
    this.#rows.update((row) => {
      const next = read.get(row.howler.id);
      if (next === undefined || isOvertaken(row.howler.id) || this.#isSame(row, next)) return row;
      changed.push(row.howler.id);
      return next;
    });
    this.#mark(
      changed,
      ids.filter((id) => !read.has(id)),
    );
  }

  #isSame(row: Changing, other: Changing): boolean {
    return this.#rows.fields.every((field) => isSameValue(valueAt(row, field) ?? null, valueAt(other, field) ?? null));
  }

  /**
   * Counts what waits: what was created since, and what else matches more than was found. Of what was
   * found, alerts that are known to match no longer are taken off; others may have left unseen.
   */
  async #count(signal: AbortSignal): Promise<void> {
    const { changed, deleted } = this.#changes;
    const known = [...changed.union(deleted)];
    const [created, others, matching] = await Promise.all([
      this.#rows.countCreated(signal),
      this.#rows.countOthers(undefined, signal),
      known.length === 0 ? 0 : this.#rows.countOthers(known, signal),
    ]);
    if (signal.aborted) return;
    const left = known.length - matching;
    const expected = (this.#rows.found() ?? 0) - left;
    this.#publish({ waiting: created + Math.max(0, others - expected) });
  }

  #mark(changed: readonly string[], deleted: readonly string[]): void {
    const { changed: before, deleted: gone } = this.#changes;
    if (changed.every((id) => before.has(id)) && deleted.every((id) => gone.has(id))) return;
    this.#publish({ changed: new Set([...before, ...changed]), deleted: new Set([...gone, ...deleted]) });
  }

  #publish(changes: Partial<LiveChanges>): void {
    this.#changes = { ...this.#changes, ...changes };
    this.#onChange(this.#changes);
  }
}
