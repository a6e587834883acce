/** Words of the components in `design/`. */
export const design = {
  showPassword: 'Show the password',
  noOptions: 'Nothing matches.',
  newOption: 'new',
  remove: 'Remove {{value}}',
  clear: 'Clear',
  openList: 'Show the list',
  notifications: 'Notifications',
  errorId: 'Error ID',
  copyErrorId: 'Copy the error ID',
  paneFailed: 'This part of the page failed.',
  paneSize: 'Size of {{name}}',
  moreOptions_one: '{{count}} more. Type to narrow the list.',
  moreOptions_other: '{{count}} more. Type to narrow the list.',
} as const;
