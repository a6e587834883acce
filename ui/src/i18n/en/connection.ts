/** Messages about the line to the server, which a page may need before it has all others. */
export const connection = {
  offline: 'The server does not answer. What you typed is kept.',
  waiting: 'The server is busy.',
  waitingFor: 'The server is busy. {{reason}}',
  nextTry: 'Next try in {{seconds}} s.',
  tryNow: 'Try now',
  noAnswer: 'The server does not answer.',
  liveLost: 'Live updates are interrupted. Changes by other people appear once the connection is back.',
  partMissing:
    'A part of this page did not load. If trying again does not help, reload the page: the program may have been updated.',
  reload: 'Reload the page',
  notStarted: 'Triad could not start.',
} as const;
