import { useEffect, useMemo, useState } from 'react';
import { ApiProblem } from '../../../../api/problem.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useCommands } from '../../../../keys/commands.tsx';
import { useConfiguration } from '../../../../shell/session-context.tsx';
import { FilterChips } from '../../../query/filters/filter-chips.tsx';
import { queryFields } from '../../../query/language/query-fields.ts';
import { QueryBar } from '../../../query/query-bar.tsx';
import { alertValues } from '../../../query/sources/alert-values.ts';
import { useQuerySources } from '../../../query/sources/use-query-sources.ts';
import { TimePicker } from '../../../query/time/time-picker.tsx';
import { WORD_FIELD_NAMES } from '../../../query/words/alert-word-fields.ts';
import { typedRefusal } from '../../../query/words/typed-refusal.ts';
import styles from '../alerts-page.module.css';
import type { ListSearch } from '../use-list-search.ts';
import { ShownView } from './shown-view.tsx';

/** The search of the list: query, time, filters. The query runs on Enter, the others at once. */
export function AlertSearchBar({ list }: { list: ListSearch }) {
  const { t } = useTranslation();
  const { state, results, request } = list;
  const [text, setText] = useState(state.text);
  const [focusRequest, setFocusRequest] = useState(0);
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const { sources, history } = useQuerySources({
    place: 'alerts',
    load: alertValues,
    filters: request.filters,
    hasViews: true,
  });
  // An address, a view or the back button may bring another text.
  useEffect(() => setText(state.text), [state.text]);
  useCommands([{ id: 'query', run: () => setFocusRequest((count) => count + 1) }]);
  const failure = results?.problem;
  const problem = useMemo(
    () => (failure instanceof ApiProblem && failure.status === 400 ? typedRefusal(failure, state.text) : undefined),
    [failure, state.text],
  );

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
        wordFields={WORD_FIELD_NAMES}
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
        {list.view === undefined ? null : <ShownView view={list.view} onLeave={list.leaveView} />}
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
