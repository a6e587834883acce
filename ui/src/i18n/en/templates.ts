/** Words of the pages of templates. */
export const templates = {
  title: 'Templates',
  create: 'New template',
  empty: 'A template says which fields of the alerts of an analytic come first.',
  keys: 'Fields',
  add: 'Add a field',
  up: 'Move {{key}} up',
  down: 'Move {{key}} down',
  remove: 'Remove {{key}}',
  absent: 'This alert does not have it',
  notDeletable: 'Only administrators delete a template for all users.',
  deleteText_one: '{{count}} alert is shown by it, and then by the next template that fits, or without one.',
  deleteText_other: '{{count}} alerts are shown by it, and then by the next template that fits, or without one.',
} as const;
