import { choice, integer, mapOf, onOff, section, textList } from './setting-kinds.ts';

const temporaryKeys = (description: string, usual: Readonly<Record<string, unknown>> = {}) =>
  mapOf(choice(['union', 'overwrite'], 'How values of several files become one.', 'overwrite'), description, { usual });

/** Settings of `analysis.core.dispatcher`. */
export const dispatcherSettings = section({
  max_inflight: integer('Submissions that a process analyses at the same time; others wait.', 1000, { minimum: 1 }),
});

/** Settings of `analysis.services` that decide which analyzers get a file. */
export const serviceDispatchSettings = {
  absent_after: integer(
    'Seconds without a worker that asks for tasks after which the tasks of an analyzer end with SERVICE DOWN; 0 waits without end.',
    300,
    { minimum: 0 },
  ),
  safelist: section({
    enabled: onOff('Analyzers leave out extracted files that are on the safelist.', true),
    hash_types: textList('Hashes that they look files up by.', 'sha1, sha256'),
    enforce_safelist_service: onOff('The analyzer Safelist sees extracted files, too.', false),
  }),
};

/** Settings of `analysis.submission` about data that analyzers leave for each other. */
export const temporaryDataSettings = {
  default_temporary_keys: temporaryKeys(
    'Temporary data that all files of a submission share: `union` merges lists, `overwrite` keeps the last value.',
    { passwords: 'union', email_body: 'union' },
  ),
  temporary_keys: temporaryKeys('Further such data.'),
};
