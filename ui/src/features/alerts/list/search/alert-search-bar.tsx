import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '../../../../api/problem.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useCommands } from '../../../../keys/commands.tsx';
import { useConfiguration, useSession } from '../../../../shell/session-context.tsx';
import { FilterChips } from '../../../query/filters/filter-chips.tsx';
import { queryFields } from '../../../query/language/query-fields.ts';
import { QueryBar } from '../../../query/query-bar.tsx';
import { QueryHistory } from '../../../query/sources/query-history.ts';
import { TimePicker } from '../../../query/time/time-picker.tsx';
import styles from '../alerts-page.module.css';
import type { AlertList } from '../use-alert-list.ts';
import { requestOf } from './alert-search.ts';
import { completionSources } from './completion-sources.ts';

/** The search of the list: query, time, filters. The query runs on Enter, the others at once. */
export function AlertSearchBar({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const { session } = useSession();
  const queryClient = useQueryClient();
  const { state, results } = list;
  const [text, setText] = useState(state.text);
  const [focusRequest, setFocusRequest] = useState(0);
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const history = useMemo(() => new QueryHistory(session.username, 'alerts'), [session.username]);
  const filters = useRef<readonly string[]>([]);
  useEffect(() => {
    filters.current = requestOf(state, { now: new Date(), lastVisit: list.lastVisit }).filters;
  });
  const sources = useMemo(() => completionSources(queryClient, history, () => filters.current), [queryClient, history]);
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
          history.add(typed);
          list.search({ ...state, text: typed });
        }}
        fields={fields}
        sources={sources}
        mapping={configuration?.configuration.mapping}
        problem={problem}
        refusedText={state.text}
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
          problem={problem}
        />
      </div>
    </search>
  );
}
