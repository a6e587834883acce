export const query = {
  label: 'Query',
  placeholder: 'Search, for example howler.status:open AND source.ip:"10.0.0.0/8"',
  run: 'Search',
  records_one: '{{count}} record',
  records_other: '{{count}} records',
  kinds: {
    field: 'field',
    value: 'value',
    operator: 'operator',
    date: 'date',
    saved: 'view',
    history: 'earlier query',
  },
  problem: {
    unknownField: 'No searchable field is named "{{field}}".',
    didYouMean: 'Replace with {{name}}',
    more_one: 'and {{count}} more problem',
    more_other: 'and {{count}} more problems',
    tooLong:
      'The pasted text has {{length}} characters and was not inserted. A query takes at most {{max}}; paste a shorter part.',
  },
} as const;
