/** Milliseconds without a sign of the reader after which the next one begins another visit. */
export const VISIT_PAUSE = 30 * 60_000;
/** Milliseconds between two notes that the reader is here. */
export const NOTE_INTERVAL = 2 * 60_000;

/** The times of visits that are kept with the account, ISO 8601. */
export interface VisitTimes {
  /** The latest time at which the reader was here. */
  readonly lastSeen?: string;
  /** End of the visit before this one; undefined during the first visit. */
  readonly lastVisit?: string;
}

/**
 * Returns the times to write when a reader is here; undefined when they were noted a moment ago. A
 * pause ends a visit: its end is then the last visit.
 */
export function timesOfPresence({ lastSeen }: VisitTimes, now: Date): VisitTimes | undefined {
  const seen = lastSeen === undefined ? Number.NaN : Date.parse(lastSeen);
  const pause = now.getTime() - seen;
  if (pause >= 0 && pause < NOTE_INTERVAL) return undefined;
  const isOtherVisit = lastSeen !== undefined && pause > VISIT_PAUSE;
  return { lastSeen: now.toISOString(), ...(isOtherVisit ? { lastVisit: lastSeen } : {}) };
}

/** Returns the times to write when the reader signs out, which ends the visit. */
export function timesOfLeaving(now: Date): VisitTimes {
  return { lastSeen: now.toISOString(), lastVisit: now.toISOString() };
}
