/** Counts the parts of a list that no entry was made of, by reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>();
  #mistakes = 0;

  /** Counts what was not understood. Reasons are constants, never parts of the list. */
  add(reason: string): void {
    this.#mistakes += 1;
    this.addIntended(reason);
  }

  /** Counts what the list itself takes back: revoked, deleted, not meant for detection. */
  addIntended(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Parts that were not understood. */
  get mistakes(): number {
    return this.#mistakes;
  }
}
