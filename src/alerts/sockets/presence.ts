import { InvalidInput, TooManyRequests } from '../../errors/errors.ts';
import type { ClientFrame } from './client-frame.ts';
import type { PresenceEvent } from './presence-event.ts';
import type { Viewers } from './viewers.ts';

export interface PresenceDependencies {
  readonly viewers: Pick<Viewers, 'add' | 'remove'>;
  /** Returns the classification of an alert, event or case; undefined when there is none. */
  readonly classificationOf: (id: string) => Promise<string | undefined>;
  readonly broadcast: (id: string, event: PresenceEvent) => Promise<void>;
  readonly viewersChanged: (id: string, event: PresenceEvent) => Promise<void>;
}

/** A connection that was admitted. */
export interface PresentListener {
  readonly id: string;
  readonly username: string;
}

/** Connections of one user to this process. */
const MAX_LISTENERS = 1000;
/** Records that one connection may show or edit at a time. */
const MAX_RECORDS = 100;

/** Keeps the presence of each connection of this process. */
export class Presences {
  readonly #dependencies: PresenceDependencies;
  readonly #present = new Set<Presence>();

  constructor(dependencies: PresenceDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws TooManyRequests `too_many_sockets` */
  enter(listener: PresentListener): Presence {
    let count = 0;
    for (const { username } of this.#present) if (username === listener.username) count += 1;
    if (count >= MAX_LISTENERS) {
      throw new TooManyRequests('too_many_sockets', `A user has at most ${MAX_LISTENERS} websockets.`);
    }
    const presence = new Presence(listener, this.#dependencies, this.#present);
    this.#present.add(presence);
    return presence;
  }
}

/** Keeps the records that one connection shows and edits. Calls must not overlap. */
export class Presence {
  readonly #listener: PresentListener;
  readonly #dependencies: PresenceDependencies;
  readonly #present: Set<Presence>;
  readonly #viewing = new Set<string>();
  readonly #typing = new Set<string>();

  constructor(listener: PresentListener, dependencies: PresenceDependencies, present: Set<Presence>) {
    this.#listener = listener;
    this.#dependencies = dependencies;
    this.#present = present;
  }

  get username(): string {
    return this.#listener.username;
  }

  isViewing(id: unknown): boolean {
    return typeof id === 'string' && this.#viewing.has(id);
  }

  /** Applies a message of the client. @throws InvalidInput `too_many_records`; Unavailable */
  async act({ id, action, broadcast }: ClientFrame): Promise<void> {
    if (action === 'typing') this.#remember(this.#typing, id);
    if (action === 'stop_typing') this.#typing.delete(id);
    if (action === 'viewing') this.#remember(this.#viewing, id);
    if (broadcast) await this.#broadcast(id, action);
    if (action === 'viewing') await this.#viewersChanged(id, await this.#add(id));
    if (action === 'stop_viewing') await this.#stopViewing(id);
  }

  /** Renews what the connection shows. @throws Unavailable */
  async renew(): Promise<void> {
    for (const id of this.#viewing) await this.#add(id);
  }

  /** Takes back everything that this connection did, and nothing of another one. @throws Unavailable */
  async leave(): Promise<void> {
    this.#present.delete(this);
    for (const id of this.#typing) if (!this.#isTypedElsewhere(id)) await this.#broadcast(id, 'stop_typing');
    for (const id of this.#viewing) await this.#stopViewing(id);
  }

  #remember(records: Set<string>, id: string): void {
    records.add(id);
    if (records.size <= MAX_RECORDS) return;
    throw new InvalidInput('too_many_records', `A connection has at most ${MAX_RECORDS} records at a time.`);
  }

  #add(id: string): Promise<readonly string[]> {
    return this.#dependencies.viewers.add(id, this.#listener.id, this.#listener.username);
  }

  async #stopViewing(id: string): Promise<void> {
    this.#viewing.delete(id);
    await this.#viewersChanged(id, await this.#dependencies.viewers.remove(id, this.#listener.id));
  }

  #isTypedElsewhere(id: string): boolean {
    for (const other of this.#present) if (other.username === this.username && other.#typing.has(id)) return true;
    return false;
  }

  async #broadcast(id: string, action: string): Promise<void> {
    const { username } = this.#listener;
    await this.#dependencies.broadcast(id, await this.#event(id, { id, action, username }));
  }

  async #viewersChanged(id: string, viewers: readonly string[]): Promise<void> {
    await this.#dependencies.viewersChanged(id, await this.#event(id, { id, viewers }));
  }

  async #event(id: string, data: object): Promise<PresenceEvent> {
    return { data, classification: await this.#dependencies.classificationOf(id), by: this.#listener.username };
  }
}
