import { useSyncExternalStore } from 'react';
import { send } from '../api/connection.ts';
import { ApiProblem } from '../api/problem.ts';
import type { Language } from '../i18n/i18n.ts';
import { keep, readKept } from '../json/browser-storage.ts';
import type { KeyPreferences } from '../keys/key-map.ts';
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

const ADDRESS = '/session/preferences';
const SAVE_DELAY = 800;
const HINT = 'triad.appearance';

/** The preferences of this window, written back a moment after the last change. */
class PreferenceStore {
  #values: Preferences = {};
  #version: string | undefined;
  #changes: Preferences = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<() => void>();

  read = (): Preferences => this.#values;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async load(): Promise<void> {
    const response = await send(new Request(ADDRESS));
    this.#version = response.headers.get('etag') ?? undefined;
    this.#show((await response.json()) as Preferences);
  }

  set(changes: Preferences): void {
    this.#changes = { ...this.#changes, ...changes };
    this.#show({ ...this.#values, ...changes });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), SAVE_DELAY);
  }

  setPage(name: string, state: unknown): void {
    this.set({ pages: { ...this.#values.pages, [name]: state } });
  }

  /** Writes what waits, at once. A refusal is not an error of the caller: the next change tries again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (Object.keys(this.#changes).length > 0) await this.#save().catch(() => undefined);
  }

  /** Writes the changes; those of another window that came between stay, where they touch other keys. */
  async #save(): Promise<void> {
    const changes = this.#changes;
    this.#changes = {};
    try {
      await this.#put(changes);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status !== 412 && error.status !== 409) return;
      await this.load();
      this.#show({ ...this.#values, ...changes });
      await this.#put(changes);
    }
  }

  async #put(changes: Preferences): Promise<void> {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (this.#version !== undefined) headers.set('if-match', this.#version);
    const body = JSON.stringify({ ...this.#values, ...changes });
    const response = await send(new Request(ADDRESS, { method: 'PUT', headers, body }));
    // An answer that is not read keeps one of the few connections of the browser.
    await response.arrayBuffer();
    this.#version = response.headers.get('etag') ?? undefined;
  }

  #show(values: Preferences): void {
    this.#values = values;
    applyAppearance(values);
    const { theme, density, language } = values;
    remember({ theme, density, language, wasSignedIn: true } as Remembered);
    for (const listener of this.#listeners) listener();
  }
}

export const preferences = new PreferenceStore();

export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.read);
}

type Appearance = Pick<Preferences, 'theme' | 'density' | 'language'>;

interface Remembered extends Appearance {
  /** True when the last page of this browser had a session. */
  readonly wasSignedIn?: boolean;
}

/** Sets theme and density. */
function applyAppearance({ theme, density }: Appearance): void {
  const { dataset } = document.documentElement;
  dataset.theme = theme ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  dataset.density = density ?? 'compact';
}

/** Remembers what the first paint of the next visit needs. */
function remember(values: Remembered): void {
  keep(HINT, values);
}

/** Forgets that there was a session, so that the sign-in page loads nothing else. */
export function rememberSignedOut(): void {
  remember({ ...readRemembered(), wasSignedIn: false });
}

/** Applies what the last visit of this browser had, before the server is asked. */
export function applyRememberedAppearance(): Remembered {
  const remembered = readRemembered();
  applyAppearance(remembered);
  return remembered;
}

function readRemembered(): Remembered {
  // Only this module writes the key.
  return (readKept(HINT) ?? {}) as Remembered;
}
