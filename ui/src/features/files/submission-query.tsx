import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { analysis, dataOf } from '../../api/clients.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import type { FieldInfo } from '../../shell/session-context.tsx';
import { queryFields } from '../query/language/query-fields.ts';
import { QueryBar } from '../query/query-bar.tsx';
import { useQuerySources } from '../query/sources/use-query-sources.ts';
import styles from './files.module.css';
import { submissionValues } from './submission-values.ts';

/** The query bar above the list of submissions. */
export function SubmissionQuery({ problem }: { readonly problem: ApiProblem | undefined }) {
  const { t } = useTranslation();
  const { q = '' } = useSearch({ from: '/files' });
  const navigate = useNavigate({ from: '/files' });
  // The text of the address, until something is typed; the back button brings another one.
  const [typed, setTyped] = useState({ of: q, text: q });
  const [focusRequest, setFocusRequest] = useState(0);
  const { data: catalogue } = useQuery({
    queryKey: ['analysis', 'fields', 'submission'],
    queryFn: async ({ signal }) => {
      const path = { index: 'submission' };
      const fields: unknown = await dataOf(
        analysis.GET('/api/v4/search/fields/{index}/', { params: { path }, signal }),
      );
      return fields as Readonly<Record<string, FieldInfo>>;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const { sources, history } = useQuerySources({ place: 'submissions', load: submissionValues });
  useCommands([{ id: 'query', run: () => setFocusRequest((count) => count + 1) }]);
  return (
    <search className={styles.search} aria-label={t('files.submissions')}>
      <QueryBar
        value={typed.of === q ? typed.text : q}
        onChange={(text) => setTyped({ of: q, text })}
        onRun={(query) => {
          history.add(query);
          void navigate({ search: { q: query === '' ? undefined : query } });
        }}
        fields={fields}
        sources={sources}
        problem={problem}
        refusedText={q}
        placeholder={t('files.placeholder')}
        focusRequest={focusRequest}
      />
    </search>
  );
}
