import { send } from '../api/connection.ts';
import { keep, readKept } from '../json/browser-storage.ts';
import { useStore } from '../state/use-store.ts';
import { PreferenceStore, type Preferences } from './preference-store.ts';

const HINT = 'triad.appearance';

export const preferences = new PreferenceStore({
  send,
  address: '/session/preferences',
  delay: 800,
  retryDelay: 30_000,
});
preferences.subscribe(() => {
  // Of values that are not read yet, those of the last visit count.
  const values: Remembered = preferences.isLoaded ? preferences.read() : { ...readRemembered(), ...preferences.read() };
  const { theme, density, language } = values;
  applyAppearance(values);
  remember({ theme, density, language, wasSignedIn: true } as Remembered);
});

export function usePreferences(): Preferences {
  return useStore(preferences);
}

type Appearance = Pick<Preferences, 'theme' | 'density'>;

interface Remembered extends Pick<Preferences, 'theme' | 'density' | 'language'> {
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
