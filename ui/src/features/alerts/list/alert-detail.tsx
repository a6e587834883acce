import { lazy, Suspense } from 'react';
import { Loading } from '../../../design/states/loading.tsx';
import { valueFilter } from '../../query/model/filter.ts';
import type { TriageControls } from '../triage/use-triage.tsx';
import type { AlertList } from './use-alert-list.ts';

const AlertPane = lazy(async () => ({ default: (await import('../alert/alert-pane.tsx')).AlertPane }));

/** Draws the open alert beside the list; its values become filters, columns and searches of the list. */
export function AlertDetail({ list, id, triage }: { list: AlertList; id: string; triage: TriageControls }) {
  const { activeIndex = -1, total, state, parameters } = list;
  return (
    <Suspense fallback={<Loading />}>
      <AlertPane
        id={id}
        triage={triage}
        tab={parameters.tab}
        onTab={list.openTab}
        onClose={list.close}
        onNext={activeIndex + 1 < total ? () => list.activate(activeIndex + 1) : undefined}
        onPrevious={activeIndex > 0 ? () => list.activate(activeIndex - 1) : undefined}
        onFilter={(field, value, kind) =>
          list.search({
            ...state,
            filters: [...state.filters, valueFilter(field, value, { excluded: kind === 'exclude' })],
          })
        }
        onPinColumn={(field) => list.setColumns([...list.columns.filter((column) => column !== field), field])}
        onSearch={(query) => list.search({ text: query, filters: [], range: undefined })}
      />
    </Suspense>
  );
}
