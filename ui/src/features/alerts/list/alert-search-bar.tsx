import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../api/problem.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { useConfiguration, useSession } from '../../../shell/session-context.tsx';
import { FilterChips } from '../../query/filters/filter-chips.tsx';
import { queryFields } from '../../query/language/query-fields.ts';
import { QueryBar } from '../../query/query-bar.tsx';
import { TimePicker } from '../../query/time/time-picker.tsx';
import styles from './alerts-page.module.css';
import { completionSources, rememberQuery } from './completion-sources.ts';
import type { AlertList } from './use-alert-list.ts';

/** The search of the list: query, time, filters. The query runs on Enter, the others at once. */
export function AlertSearchBar({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const { session } = useSession();
  const queryClient = useQueryClient();
  const { state, results } = list;
  const [text, setText] = useState(state.text);
  const [focusRequest, setFocusRequest] = useState(0);
  const catalogue = useConfiguration().data?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const sources = useMemo(() => completionSources(queryClient, session.username), [queryClient, session.username]);
  // An address, a view or the back button may bring another text.
  useEffect(() => setText(state.text), [state.text]);
  useCommands([{ id: 'query', run: () => setFocusRequest((count) => count + 1) }]);
  const problem =
    results?.problem instanceof ApiProblem && results.problem.status === 400 ? results.problem : undefined;

  return (
    <search className={styles.search} aria-label={t('alerts.title')}>
      <QueryBar
        value={text}
        onChange={setText}
        onRun={(typed) => {
          rememberQuery(session.username, typed);
          list.search({ ...state, text: typed });
        }}
        onLeave={() => (document.activeElement as HTMLElement | null)?.blur()}
        fields={fields}
        sources={sources}
        problem={problem}
        focusRequest={focusRequest}
      />
      <TimePicker
        value={state.range}
        onChange={(range) => list.search({ ...state, text, range })}
        lastVisit={list.lastVisit}
      />
      <div className={styles.chips}>
        <FilterChips
          filters={state.filters}
          onChange={(filters) => list.search({ ...state, text, filters })}
          fields={fields}
          sources={sources}
        />
      </div>
    </search>
  );
}
