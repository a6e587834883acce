import { Suspense, useDeferredValue } from 'react';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { valueFilter, withFilter } from '../../query/model/filter.ts';
import type { ValueCallbacks } from '../alert/values/value-actions.tsx';
import type { TriageControls } from '../triage/use-triage.tsx';
import { useAlertAhead } from './use-alert-ahead.ts';
import type { AlertList } from './use-alert-list.ts';

const AlertPane = lateComponent(async () => (await import('../alert/alert-pane.tsx')).AlertPane);
const EventPane = lateComponent(async () => (await import('./event-pane.tsx')).EventPane);

interface Props {
  readonly list: AlertList;
  readonly triage: TriageControls;
}

/** Draws the open alert or event; the active row moves before it, so that it is drawn once a step. */
export function AlertDetail({ list, triage }: Props) {
  return <Detail list={useDeferredValue(list)} triage={useDeferredValue(triage)} />;
}

/** Draws a record whose values become filters, columns and searches of the list. */
function Detail({ list, triage }: Props) {
  const { activeIndex = -1, total, state, opened } = list;
  const { id = '' } = opened;
  useAlertAhead(list, id);
  const callbacks: ValueCallbacks = {
    onFilter: (field, value, kind) => {
      const filter = valueFilter(field, value, { excluded: kind === 'exclude' });
      list.search({ ...state, filters: withFilter(state.filters, filter) });
    },
    onPinColumn: (field) => list.setColumns([...list.columns.filter((column) => column !== field), field]),
    onSearch: (query) => list.search({ text: query, filters: [], range: undefined }),
  };
  return (
    <Suspense fallback={<Loading />}>
      {opened.kind === 'event' ? (
        <EventPane id={id} onClose={list.close} {...callbacks} />
      ) : (
        <AlertPane
          id={id}
          triage={triage}
          tab={opened.tab}
          onTab={list.openTab}
          onClose={list.close}
          onNext={activeIndex + 1 < total ? () => list.activate(activeIndex + 1) : undefined}
          onPrevious={activeIndex > 0 ? () => list.activate(activeIndex - 1) : undefined}
          {...callbacks}
        />
      )}
    </Suspense>
  );
}
