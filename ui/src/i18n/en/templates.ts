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
  absent: 'Not in this alert',
  notDeletable: 'Only administrators delete a template for all users.',
  deleteText_one: '{{count}} alert uses this template; the next match applies, if any.',
  deleteText_other: '{{count}} alerts use this template; the next match applies, if any.',
} as const;
