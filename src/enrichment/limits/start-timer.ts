/** Longest delay in milliseconds (24.8 days) of a timer of Node, which fires at once for longer ones. */
const MAX_DELAY = 2 ** 31 - 1;

/** Starts a timer that fires after a time in milliseconds, and after 24.8 days for any longer time. */
export function startTimer(callback: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(callback, Math.min(milliseconds, MAX_DELAY));
}
