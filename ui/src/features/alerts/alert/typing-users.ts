import { memberOf } from '../../../json/members.ts';

/** A person whose `stop_typing` was lost counts as writing for this long, in ms. */
export const TYPING_MS = 30_000;

/** Knows who writes a comment on one alert, by the events of the other windows. */
export class TypingUsers {
  readonly #id: string;
  readonly #onChange: (users: readonly string[]) => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** @param onChange called with the present user names after each change */
  constructor(id: string, onChange: (users: readonly string[]) => void) {
    this.#id = id;
    this.#onChange = onChange;
  }

  /** Takes an event of another window over; those of other alerts and of other kinds are left out. */
  note(event: unknown): void {
    const [action, user] = [memberOf(event, 'action'), memberOf(event, 'username')];
    if (memberOf(event, 'id') !== this.#id || typeof user !== 'string') return;
    if (action === 'typing') {
      clearTimeout(this.#timers.get(user));
      this.#timers.set(
        user,
        setTimeout(() => this.#remove(user), TYPING_MS),
      );
      this.#onChange([...this.#timers.keys()]);
    } else if (action === 'stop_typing') this.#remove(user);
  }

  /** Forgets everyone, without a further call. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #remove(user: string): void {
    clearTimeout(this.#timers.get(user));
    if (this.#timers.delete(user)) this.#onChange([...this.#timers.keys()]);
  }
}
