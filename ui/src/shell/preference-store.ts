import { ApiProblem } from '../api/problem.ts';
import type { Language } from '../i18n/i18n.ts';
import type { KeyPreferences } from '../keys/key-map.ts';
import { Store } from '../state/store.ts';
import type { VisitTimes } from './visits/visits.ts';

/** The choices of a person, kept on the server with the account. Later versions may add keys. */
export interface Preferences extends VisitTimes {
  readonly language?: Language;
  /** Undefined: as the system. */
  readonly theme?: 'dark' | 'light' | undefined;
  readonly density?: 'compact' | 'comfortable';
  /** Times in the zone of the browser, or in UTC. */
  readonly timeZone?: 'local' | 'utc';
  /** Copies indicators as they are, or defanged. */
  readonly copy?: 'plain' | 'defanged';
  readonly keys?: KeyPreferences;
  /** Shows a notification of the desktop for what is assigned to me. */
  readonly notifications?: boolean;
  /** State of pages by name: widths of panes, columns, the last sort. */
  readonly pages?: Readonly<Record<string, unknown>>;
}

export interface PreferenceStoreOptions {
  /** Sends a request to the server. @throws ApiProblem */
  readonly send: (request: Request) => Promise<Response>;
  /** Address of the preferences. */
  readonly address: string;
  /** Milliseconds after the last change until it is written. */
  readonly delay: number;
  /** Milliseconds after which a write is repeated that the server did not take. */
  readonly retryDelay: number;
}

/**
 * The preferences of this window, written back a moment after the last change. Nothing is written
 * before they were read: a PUT replaces all of them.
 */
export class PreferenceStore {
  readonly #options: PreferenceStoreOptions;
  readonly #values = new Store<Preferences>({});
  /** Changes that are not written yet. */
  #changes: Preferences = {};
  #isLoaded = false;
  #version: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: PreferenceStoreOptions) {
    this.#options = options;
  }

  readonly read = this.#values.read;
  readonly subscribe = this.#values.subscribe;

  /** True once the server gave what it keeps; until then the values are the defaults and the own changes. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads the preferences, once at a time. Changes that were made meanwhile stay. @throws ApiProblem */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { send, address } = this.#options;
    const response = await send(new Request(address));
    const kept = (await response.json()) as Preferences;
    this.#version = response.headers.get('etag') ?? undefined;
    this.#isLoaded = true;
    this.#values.set(merged(kept, this.#changes));
    if (hasMembers(this.#changes)) this.#saveAfter(this.#options.delay);
  }

  set(changes: Preferences): void {
    this.#changes = merged(this.#changes, changes);
    this.#values.set(merged(this.#values.read(), changes));
    this.#saveAfter(this.#options.delay);
  }

  setPage(name: string, state: unknown): void {
    this.set({ pages: { [name]: state } });
  }

  /** Writes what waits, at once. What is refused waits for the next change, or for the server. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const saving = this.#saving.then(() => this.#save());
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  #saveAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), milliseconds);
  }

  async #save(): Promise<void> {
    if (!hasMembers(this.#changes)) return;
    if (!this.#isLoaded) return this.#loadForWrite();
    const changes = this.#changes;
    this.#changes = {};
    try {
      await this.#put();
    } catch (error) {
      // Later changes of the same member count.
      this.#changes = merged(changes, this.#changes);
      if (!(error instanceof ApiProblem)) throw error;
      const { status } = error;
      // Another window came first: what it wrote stays, where it touches other members.
      if (status === 409 || status === 412) this.#loadForWrite();
      else if (status === 0 || status === 429 || status >= 500) this.#saveAfter(this.#options.retryDelay);
    }
  }

  /** Reads the preferences, after which the changes are written. No caller waits for it. */
  #loadForWrite(): void {
    this.load().catch(() => this.#saveAfter(this.#options.retryDelay));
  }

  async #put(): Promise<void> {
    const { send, address } = this.#options;
    const headers = new Headers({ 'content-type': 'application/json' });
    if (this.#version !== undefined) headers.set('if-match', this.#version);
    const body = JSON.stringify(this.#values.read());
    const response = await send(new Request(address, { method: 'PUT', headers, body }));
    // An answer that is not read keeps one of the few connections of the browser.
    await response.arrayBuffer();
    this.#version = response.headers.get('etag') ?? undefined;
  }
}

/** Returns the values with the changes; of pages, those that did not change stay. */
function merged(values: Preferences, changes: Preferences): Preferences {
  const all = { ...values, ...changes };
  return changes.pages === undefined ? all : { ...all, pages: { ...values.pages, ...changes.pages } };
}

function hasMembers(changes: Preferences): boolean {
  return Object.keys(changes).length > 0;
}
