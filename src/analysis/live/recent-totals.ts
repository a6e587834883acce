/** Intervals of a window. */
const SIZE = 12;

/** Turns totals since the start into those of the last minute, with one look every five seconds. */
export class RecentTotals<Name extends string> {
  readonly #looks: Readonly<Record<Name, number>>[] = [];

  /** Takes the present totals, and returns what they grew by in the last minute. */
  since(totals: Readonly<Record<Name, number>>): Record<Name, number> {
    const oldest = this.#looks.length < SIZE ? undefined : this.#looks.shift();
    this.#looks.push({ ...totals });
    const grown = Object.entries<number>(totals).map(([name, total]) => [name, total - (oldest?.[name as Name] ?? 0)]);
    return Object.fromEntries(grown) as Record<Name, number>;
  }
}
