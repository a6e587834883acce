/** Words of the question which of two changes counts. */
export const conflict = {
  text: 'Your change was not written. Decide which one counts.',
  theirs: 'They wrote',
  yours: 'You wrote',
  keep: 'Keep theirs',
  apply: 'Write mine',
  kept: 'This was not saved: another person changed it meanwhile. What you typed is still here.',
} as const;
