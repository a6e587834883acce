/**
 * Every reason why a query cannot be asked, by its identifier. `{{name}}` stands for a value, or for
 * another problem that gives the details. Errors carry the English sentence; the web interface
 * translates by identifier.
 */
export const QUERY_PROBLEMS = {
  open_phrase: 'A quoted phrase is never closed. Write \\" for a quote inside a phrase, or to search for one.',
  open_regexp:
    'A slash opens a regular expression that is never closed. Write \\/ or use quotes to search for a slash.',
  final_backslash: 'The query ends with a backslash. Write \\\\ to search for a backslash.',
  nothing_open: 'Nothing is open that {{character}} could close. Write \\{{character}} to search for it.',
  bad_boost: 'A boost is a number right after the ^, such as ^2 or ^0.5. Write \\^ to search for a ^.',
  bad_unicode_escape: 'After \\u four hexadecimal digits are needed, such as \\u00e9.',
  backslash_ends_value: 'A value ends with a backslash. Write \\\\ to search for a backslash.',
  bad_escape: 'An escape makes a NUL or half of a surrogate pair, which no value contains.',
  unexpected: 'Unexpected {{token}} in the query. Put it in quotes or a backslash before it to search for it.',
  unexpected_end: 'The query ends where a value or a closing bracket is needed.',
  range_syntax: '{{problem}} A range is written [lower TO upper], with TO in capitals.',
  bad_fuzzy: 'The fuzzy amount {{amount}} is not ~, ~0, ~1, ~2 or ~AUTO. Write \\~ to search for a tilde.',
  nul: 'The query contains a NUL character.',
  half_pair: 'The query contains half of a surrogate pair, which is not a character.',

  too_complex: 'The query is too complex: {{reason}}.',
  many_expanded: 'it stands for more than {{most}} clauses, words and fields counted',
  deep: 'it nests parentheses more than {{most}} deep',
  many_clauses: 'it has more than {{most}} clauses',
  long: 'it is {{length}} characters long, and at most {{most}} are allowed',
  many_conditions:
    'it has {{found}} conditions, and at most {{most}} are allowed (words and patterns counted, values of one keyword or number joined by OR as one)',
  many_patterns:
    'it has {{found}} patterns, and at most {{most}} are allowed (regular expressions, fuzzy terms, phrases with a distance, wildcards other than a*, *a and *a*)',
  long_sloppy_phrase: 'a phrase with a distance has more than {{most}} words',
  long_fuzzy: 'a fuzzy term is longer than {{most}} characters',
  many_steps:
    'its regular expressions and wildcards need more than {{most}} steps to compile. Make repetitions smaller',
  /** Details that the web interface does not translate. */
  other: '{{text}}',

  not_searchable: 'The field {{field}} is stored and cannot be searched.',
  no_patterns:
    'The field {{field}} does not take wildcards, prefixes and regular expressions, which need a keyword or text field.',
  no_fuzzy: 'The field {{field}} does not take fuzzy terms, which need a keyword or text field.',
  negative_distance: 'The field {{field}} is asked for a phrase with the negative distance {{distance}}.',
  distant_phrase:
    'The field {{field}} holds whole values, and a phrase in it takes a distance of at most {{most}}, not {{distance}}.',
  field_regexp: 'The field {{field}} is asked with a malformed regular expression: {{reason}}.',
  not_a_number: 'The field {{field}} holds numbers, and {{given}} is none.',
  number_outside: 'The field {{field}} holds numbers from {{min}} to {{max}}, and {{given}} lies outside.',
  not_boolean: 'The field {{field}} holds true or false, and {{given}} is neither.',
  not_a_date:
    'The field {{field}} holds dates, and {{given}} is none such as 2026-01-15, 2026-01-15T10:11:12Z, now-7d or milliseconds.',
  bad_date_math:
    'The field {{field}} holds dates, and the date math of {{given}} cannot be read: write steps such as +1M, -7d or /d, with y M w d h m s.',
  not_an_address: 'The field {{field}} holds addresses, and {{given}} is none.',
  not_a_network: 'The field {{field}} holds addresses, and {{given}} is not a network such as 10.0.0.0/8.',
  wrong_kind: 'The field {{field}} does not take this kind of query.',

  malformed_regexp: 'A regular expression is malformed: {{reason}}.',
  regexp_long: 'it is longer than {{most}} characters',
  regexp_goes_on: 'it should end before its {{character}} at {{place}}',
  regexp_no_count: 'a number of repetitions is missing at {{place}}',
  regexp_counts: 'it asks for at least {{min}} and at most {{max}} repetitions',
  regexp_number: 'the number {{digits}} is too large',
  regexp_backwards: 'a range of characters runs backwards before {{place}}',
  regexp_class: 'it has \\{{letter}}, and only \\d \\s \\w \\D \\S \\W are classes of characters',
  regexp_missing: 'a {{character}} is missing at {{place}}',
  regexp_ends: 'it ends too early',
  regexp_interval: '<{{text}}> is no interval such as <1-100>',
} as const;

export type QueryProblemId = keyof typeof QUERY_PROBLEMS;

/** Why a query cannot be asked. */
export interface QueryProblem {
  readonly id: QueryProblemId;
  readonly values: Readonly<Record<string, string | number | bigint | QueryProblem>>;
}

export function queryProblem(id: QueryProblemId, values: QueryProblem['values'] = {}): QueryProblem {
  return { id, values };
}

/** Returns the problem as an English sentence, or as the part of one that it is. */
export function describeProblem({ id, values }: QueryProblem): string {
  return QUERY_PROBLEMS[id].replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'object' ? describeProblem(value) : String(value);
  });
}
