import { RefreshCw } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { ApiProblem } from '../../../api/problem.ts';
import { Button } from '../../../design/controls/button.tsx';
import { DataTable, type DataTableHandle } from '../../../design/data/table/data-table.tsx';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { Page, Toolbar, ToolbarSpace } from '../../../design/layout/page.tsx';
import { SplitPane } from '../../../design/layout/split-pane.tsx';
import { useSmallScreen } from '../../../design/layout/use-small-screen.ts';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { useCommands, useKeys } from '../../../keys/commands.tsx';
import { useRowCommands } from '../../../keys/use-row-commands.ts';
import { AlertDetail } from './alert-detail.tsx';
import styles from './alerts-page.module.css';
import { columnOfSort, sortFieldOf } from './columns/alert-columns.tsx';
import { useAlertColumns, useNarrowRow } from './columns/use-alert-columns.ts';
import { FacetButton, FacetPanel } from './facets/facet-panel.tsx';
import { ListActions } from './list-actions.tsx';
import type { AlertResults } from './results/use-alert-results.ts';
import { AlertSearchBar } from './search/alert-search-bar.tsx';
import { type AlertList, useAlertList } from './use-alert-list.ts';
import { useListTriage } from './use-list-triage.ts';

// The rows come first; the chart follows.
const AlertHistogram = lateComponent(async () => (await import('./histogram/alert-histogram.tsx')).AlertHistogram);

/** The list of alerts: search, rows, and the open alert beside them. */
export function AlertsPage() {
  const { t } = useTranslation();
  const list = useAlertList();
  const triage = useListTriage(list);
  const { listSearch, opened } = list;
  const isOpen = opened.id !== undefined;
  return (
    <Page title={t('alerts.title')} fit="fill" actions={<ListActions list={listSearch} />}>
      <div className={styles.page} data-reading={isOpen || undefined}>
        <AlertSearchBar list={listSearch} />
        <Suspense fallback={<div className={styles.histogram} />}>
          <AlertHistogram list={listSearch} />
        </Suspense>
        <div className={styles.body} data-open={isOpen || undefined}>
          <FacetPanel list={listSearch} isBesideAlert={isOpen} />
          <SplitPane
            name="alerts.detail"
            initial={0.46}
            label={t('alerts.list')}
            first={<AlertTable list={list} />}
            second={isOpen ? <AlertDetail list={list} triage={triage} /> : undefined}
          />
        </div>
      </div>
      {triage.dialogs}
    </Page>
  );
}

function AlertTable({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const table = useRef<DataTableHandle>(null);
  const { results, changes, sort, total } = list;
  const showNewKeys = useKeys('showNew');
  const isSmall = useSmallScreen();
  const columns = useAlertColumns(list.columns, list.opened.id !== undefined);
  const narrow = useNarrowRow(list.columns, columns);
  useListCommands(list, table);
  const problem = results?.problem;
  if (list.isViewMissing) return <ViewMissing list={list} />;
  if (list.viewProblem !== undefined) {
    return <ProblemPanel problem={list.viewProblem.error} onRetry={list.viewProblem.retry} />;
  }
  const isRefused = problem instanceof ApiProblem && problem.status === 400;
  return (
    <div className={styles.list}>
      <Toolbar label={t('alerts.list')}>
        <span role="status">{totalText(results, t)}</span>
        {list.selected > 0 ? (
          <>
            <span>{t('alerts.selected', { count: list.selected })}</span>
            <Button kind="quiet" onClick={list.clearSelection}>
              {t('alerts.clearSelection')}
            </Button>
          </>
        ) : null}
        <ToolbarSpace />
        <FacetButton list={list.listSearch} isBesideAlert={list.opened.id !== undefined} />
        {changes.waiting > 0 ? (
          <Button icon={RefreshCw} keys={showNewKeys} onClick={list.refresh}>
            {t('alerts.new', { count: changes.waiting })}
          </Button>
        ) : null}
      </Toolbar>
      {problem !== undefined && !isRefused ? <ProblemPanel problem={problem} onRetry={results?.retry} /> : null}
      {results?.isUnreachable ? (
        <p className={styles.unreachable} role="status">
          {t('alerts.unreachable')}
        </p>
      ) : null}
      <DataTable
        ref={table}
        label={t('alerts.list')}
        columns={columns}
        // Beside an open alert on a wide screen the columns stay: 16 rows are to be seen there.
        narrow={isSmall ? narrow : undefined}
        widths={list.widths}
        onResize={list.setWidth}
        rowCount={total}
        rowAt={results?.rowAt ?? nothing}
        onVisibleRange={results?.show ?? ignore}
        activeIndex={list.activeIndex}
        onActiveIndex={list.activate}
        onOpen={list.open}
        onPeek={list.peek}
        isSelected={(row) => list.isSelected(row.howler.id)}
        onSelect={list.select}
        selectionState={list.selected === 0 ? 'none' : list.selected >= total ? 'all' : 'some'}
        onSelectAll={list.selectAll}
        sort={{ column: columnOfSort(sort.field), direction: sort.direction === 'asc' ? 'ascending' : 'descending' }}
        onSort={({ column, direction }) => {
          const field = sortFieldOf(column);
          if (field !== undefined) list.sortBy({ field, direction: direction === 'ascending' ? 'asc' : 'desc' });
        }}
        stateOf={({ howler: { id } }) => {
          if (changes.deleted.has(id)) return 'deleted';
          return changes.changed.has(id) ? 'changed' : undefined;
        }}
        empty={results?.total === 0 ? <NothingFound list={list} /> : undefined}
      />
    </div>
  );
}

/** Returns nothing for a refused search, whose reason stands at its place in the query. */
function totalText(results: AlertResults | undefined, t: Translate): string {
  if (results?.total !== undefined) return t('alerts.total', { count: results.total });
  return results?.problem === undefined ? t('alerts.searching') : '';
}

function ignore(): void {}

function nothing(): undefined {
  return undefined;
}

function NothingFound({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('alerts.empty.title')}
      action={<Button onClick={list.clear}>{t('alerts.empty.clear')}</Button>}
    >
      {t('alerts.empty.text')}
    </EmptyState>
  );
}

function ViewMissing({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t('alerts.noView.title')}
      action={<Button onClick={list.clear}>{t('alerts.noView.all')}</Button>}
    >
      {t('alerts.noView.text')}
    </EmptyState>
  );
}

function useListCommands(list: AlertList, table: React.RefObject<DataTableHandle | null>) {
  const { activeIndex = -1, total } = list;
  const extend = (step: number) => {
    const index = Math.max(0, Math.min(total - 1, activeIndex + step));
    if (list.selected === 0 && activeIndex >= 0) list.select(activeIndex, 'toggle');
    list.select(index, 'range');
    list.activate(index);
  };
  const hasRow = activeIndex >= 0;
  useRowCommands({
    rowCount: total,
    activeIndex: list.activeIndex,
    onActiveIndex: list.activate,
    pageSize: () => table.current?.pageSize() ?? 0,
    onOpen: list.open,
  });
  useCommands([
    { id: 'extendDown', run: () => extend(1) },
    { id: 'extendUp', run: () => extend(-1) },
    { id: 'select', run: () => list.select(activeIndex, 'toggle'), isEnabled: hasRow },
    { id: 'selectAll', run: list.selectAll },
    { id: 'peek', run: () => list.peek(activeIndex), isEnabled: hasRow },
    { id: 'showNew', run: list.refresh },
  ]);
}
