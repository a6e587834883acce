import type { LiveEvents } from './live.ts';

/** Rules and bulk changes send many frames a second; what is read after them is read once for all. */
const PAUSE = 1_000;

interface Changes {
  /** Types of frames, such as `hits` and `cases`. */
  readonly types: readonly string[];
  /** Milliseconds from the first frame to the call. Default: 1,000. */
  readonly pause?: number;
  readonly run: () => void;
}

/**
 * Calls `run` a pause after frames of some types, once for all frames of the pause, and after a cut of
 * the connection, in which frames are lost. Returns what ends it.
 */
export function onLiveChanges(live: Pick<LiveEvents, 'on'>, { types, pause = PAUSE, run }: Changes): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, pause);
  };
  const stops = [...types, 'reconnected'].map((type) => live.on(type, changed));
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
