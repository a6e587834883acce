/** Words of the pages of overviews. */
export const overviews = {
  title: 'Overviews',
  create: 'New overview',
  empty: 'An overview sums up the alerts of an analytic in prose.',
  content: 'Markdown with Handlebars',
  contentHint: 'A field in two braces stands for its value.',
  deleteText_one: '{{count}} alert uses this overview; the next match applies, if any.',
  deleteText_other: '{{count}} alerts use this overview; the next match applies, if any.',
} as const;
