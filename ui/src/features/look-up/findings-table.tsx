import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef } from 'react';
import type { Column } from '../../design/data/table/columns.ts';
import { DataTable, type DataTableHandle } from '../../design/data/table/data-table.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { Toolbar } from '../../design/layout/page.tsx';
import { type Translate, useTranslation } from '../../i18n/translation.ts';
import { useRowCommands } from '../../keys/use-row-commands.ts';
import { type FindingRow, filterRows, findingRows, OPINIONS, type Opinion, SORTS, sortRows } from './findings.ts';
import styles from './look-up.module.css';
import { OpinionMark } from './opinion-mark.tsx';
import type { LookUp } from './use-look-up.ts';

const ANY = '';

interface Props {
  readonly lookUp: LookUp;
  readonly opinions: ReadonlyMap<string, Opinion>;
  readonly activeIndex: number | undefined;
  readonly onActive: (index: number, row: FindingRow | undefined) => void;
}

/** Lists what sources said, the worst first, with filters by opinion, type and source. */
export function FindingsTable({ lookUp, opinions, activeIndex, onActive }: Props) {
  const { t } = useTranslation();
  const { opinion, type, source, sort = 'opinion', direction } = useSearch({ from: '/enrichment' });
  const navigate = useNavigate({ from: '/enrichment' });
  const table = useRef<DataTableHandle>(null);
  const { selectors, asked } = lookUp;
  const findings = useDeferredValue(lookUp.findings);
  const isAscending = direction === 'ascending';
  const all = useMemo(() => findingRows(selectors, findings, opinions), [selectors, findings, opinions]);
  const rows = useMemo(
    () => sortRows(filterRows(all, { opinion, type, source }), sort, isAscending),
    [all, opinion, type, source, sort, isAscending],
  );
  const types = useMemo(() => [...new Set(selectors.map((selector) => selector.type))].sort(), [selectors]);
  const columns = useMemo(() => columnsOf(t), [t]);
  const activate = (index: number) => onActive(index, rows[index]);
  useRowCommands({
    rowCount: rows.length,
    activeIndex,
    onActiveIndex: activate,
    pageSize: () => table.current?.pageSize() ?? 0,
  });
  const filterBy = (change: {
    opinion?: Opinion | undefined;
    type?: string | undefined;
    source?: string | undefined;
  }) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <div className={styles.list}>
      <div className={styles.bar}>
        <Toolbar label={t('lookUp.filters')}>
          <Select
            label={t('lookUp.opinion')}
            labelHidden
            options={[
              { value: ANY, label: t('lookUp.anyOpinion') },
              ...OPINIONS.map((value) => ({ value, label: t(`lookUp.opinions.${value}`) })),
            ]}
            value={opinion ?? ANY}
            onChange={(value) => filterBy({ opinion: value === ANY ? undefined : value })}
          />
          <Select
            label={t('lookUp.type')}
            labelHidden
            options={[{ value: ANY, label: t('lookUp.anyType') }, ...types.map((value) => ({ value, label: value }))]}
            value={type ?? ANY}
            onChange={(value) => filterBy({ type: value === ANY ? undefined : value })}
          />
          <Select
            label={t('lookUp.source')}
            labelHidden
            options={[{ value: ANY, label: t('lookUp.anySource') }, ...asked.map((value) => ({ value, label: value }))]}
            value={source ?? ANY}
            onChange={(value) => filterBy({ source: value === ANY ? undefined : value })}
          />
        </Toolbar>
      </div>
      <DataTable
        ref={table}
        label={t('lookUp.findings')}
        columns={columns}
        rowCount={rows.length}
        rowAt={(index) => rows[index]}
        activeIndex={activeIndex}
        onActiveIndex={activate}
        sort={{ column: sort, direction: isAscending ? 'ascending' : 'descending' }}
        onSort={(next) => {
          const column = SORTS.find((one) => one === next.column);
          const order = next.direction === 'ascending' ? next.direction : undefined;
          void navigate({ search: (before) => ({ ...before, sort: column, direction: order }), replace: true });
        }}
        narrow={(row) => (
          <>
            <div className={styles.narrow}>
              <OpinionMark opinion={row.opinion} /> <Value value={row.selector.value} inline />
            </div>
            <div className={styles.narrow}>
              <Value value={row.finding?.source ?? row.selector.type} inline /> · <Statement row={row} />
            </div>
          </>
        )}
        empty={t('lookUp.noRow')}
      />
    </div>
  );
}

function columnsOf(t: Translate): Column<FindingRow>[] {
  return [
    {
      id: 'opinion',
      title: t('lookUp.opinion'),
      width: 112,
      sortable: true,
      cell: ({ ownOpinion }) => (ownOpinion === 'none' ? '–' : <OpinionMark opinion={ownOpinion} />),
    },
    {
      id: 'type',
      title: t('lookUp.type'),
      width: 80,
      sortable: true,
      cell: ({ selector }) => <Value value={selector.type} inline />,
    },
    {
      id: 'value',
      title: t('lookUp.value'),
      width: 176,
      sortable: true,
      cell: ({ selector, opinion }) => (
        <span className={styles.value}>
          <OpinionMark opinion={opinion} compact />
          <Value value={selector.value} inline />
        </span>
      ),
    },
    {
      id: 'source',
      title: t('lookUp.source'),
      width: 88,
      sortable: true,
      cell: ({ finding }) => (finding === undefined ? '–' : <Value value={finding.source} inline />),
    },
    { id: 'statement', title: t('lookUp.statement'), width: 240, grow: true, cell: (row) => <Statement row={row} /> },
  ];
}

function Statement({ row: { finding, selector } }: { readonly row: FindingRow }) {
  const { t } = useTranslation();
  if (finding !== undefined) return <Value value={finding.summary || `${finding.kind}: ${finding.statement}`} inline />;
  return selector.reserved === undefined ? t('lookUp.nothingKnown') : <Value value={selector.reserved} inline />;
}
