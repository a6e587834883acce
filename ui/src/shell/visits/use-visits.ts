import { useEffect } from 'react';
import { preferences } from '../preferences.ts';
import { NOTE_INTERVAL, timesOfLeaving, timesOfPresence } from './visits.ts';

/** Keeps with the account when the reader was here, for the range since the last visit. */
export function useVisits(): void {
  useEffect(() => {
    const timer = setInterval(notePresence, NOTE_INTERVAL);
    document.addEventListener('visibilitychange', notePresence);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', notePresence);
    };
  }, []);
}

/** Notes that the reader is here; a page in the background is no sign of it. */
export function notePresence(): void {
  // The end of the last visit follows from what the account has.
  if (!preferences.isLoaded) return;
  const times = document.visibilityState === 'visible' ? timesOfPresence(preferences.read(), new Date()) : undefined;
  if (times !== undefined) preferences.set(times);
}

/** Ends the visit, before the session ends. */
export async function noteLeaving(): Promise<void> {
  preferences.set(timesOfLeaving(new Date()));
  await preferences.flush();
}
