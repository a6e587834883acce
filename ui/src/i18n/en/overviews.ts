/** Words of the pages of overviews. */
export const overviews = {
  title: 'Overviews',
  create: 'New overview',
  empty: 'An overview sums up the alerts of an analytic in prose.',
  content: 'Markdown with Handlebars',
  contentHint: 'A field in two braces stands for its value.',
  deleteText_one: '{{count}} alert is summed up by it, and then by the next overview that fits, or not at all.',
  deleteText_other: '{{count}} alerts are summed up by it, and then by the next overview that fits, or not at all.',
} as const;
