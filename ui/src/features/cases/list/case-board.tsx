import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowRightLeft } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { EscalationMark, StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuItem } from '../../../design/overlays/menu-item.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { CASE_STATUSES, type CaseRow, type CaseStatus, caseApi } from '../case-api.ts';
import { CASE_LIST_KEY } from '../detail/use-case.ts';
import { useCaseConflicts } from '../detail/use-case-conflicts.tsx';
import { useResolution } from '../detail/use-resolution.tsx';
import { openTasks } from './case-table.tsx';
import styles from './cases-page.module.css';

/** Cards of a column; the list shows all. */
const ROWS = 50;
const DRAGGED = 'text/x-triad-case';

/** Draws the cases of a query by status. A drag, or the menu of a card, changes the status. */
export function CaseBoard() {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(undefined);
  const { asking, question } = useCaseConflicts();
  const resolution = useResolution();
  const move = async (id: string, from: string, to: CaseStatus) => {
    if (from === to || !(await resolution.agrees(id, to))) return;
    setProblem(undefined);
    const seen = { status: from as CaseStatus };
    try {
      await asking(async (overwrites) => {
        await caseApi.change(id, overwrites ? undefined : seen, { status: to });
        return true;
      });
    } catch (error) {
      setProblem(error);
    }
    await queries.invalidateQueries({ queryKey: CASE_LIST_KEY });
  };
  return (
    <>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      {question}
      {resolution.question}
      <div className={styles.board}>
        {CASE_STATUSES.map((status) => (
          <BoardColumn key={status} status={status} onMove={(id, from, to) => void move(id, from, to)} />
        ))}
      </div>
    </>
  );
}

type Move = (id: string, from: string, to: CaseStatus) => void;

function BoardColumn({ status, onMove }: { readonly status: CaseStatus; readonly onMove: Move }) {
  const { t } = useTranslation();
  const { q } = useSearch({ from: '/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const [isTarget, setTarget] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...CASE_LIST_KEY, 'board', q, status],
    queryFn: ({ signal }) => {
      const filters = [`status:${status}`];
      return caseApi.search({ query: q ?? '*:*', filters, sort: 'updated desc', offset: 0, rows: ROWS }, signal);
    },
    placeholderData: keepPreviousData,
  });
  const name = t(`data.status.${status}`);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setTarget(false);
    const [id, from] = event.dataTransfer.getData(DRAGGED).split(' ');
    if (id !== undefined && from !== undefined) onMove(id, from, status);
  };
  const rest = (data?.total ?? 0) - (data?.items.length ?? 0);
  return (
    <section
      className={styles.column}
      aria-label={name}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={onDrop}
    >
      <h2 className={styles.columnHead}>
        <StatusMark value={status} /> <span className={styles.quiet}>{data?.total}</span>
      </h2>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      <ul className={styles.cards}>
        {data?.items.map((row) => (
          <Card key={row.case_id} row={row} onMove={onMove} />
        ))}
      </ul>
      {rest > 0 ? (
        <Button
          kind="quiet"
          onClick={() => void navigate({ search: { q: `${q === undefined ? '' : `(${q}) AND `}status:${status}` } })}
        >
          {t('cases.board.rest', { count: rest })}
        </Button>
      ) : null}
    </section>
  );
}

function Card({ row, onMove }: { readonly row: CaseRow; readonly onMove: Move }) {
  const { t } = useTranslation();
  const { case_id: id, title, status, escalation, updated, created, tasks = [] } = row;
  return (
    <li
      className={styles.card}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, `${id} ${status}`)}
    >
      <div className={styles.cardLine}>
        <Link to="/cases/$id" params={{ id }} className={styles.cardTitle} draggable={false}>
          <Value value={title} limit={200} />
        </Link>
        <Menu
          trigger={
            <IconButton icon={ArrowRightLeft} small label={t('cases.board.move', { title: title.slice(0, 80) })} />
          }
        >
          {CASE_STATUSES.filter((one) => one !== status).map((one) => (
            <MenuItem key={one} onSelect={() => onMove(id, status, one)}>
              {t(`data.status.${one}`)}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div className={styles.cardLine}>
        {escalation === 'normal' ? null : <EscalationMark value={escalation} />}
        {tasks.length === 0 ? null : <span>{t('cases.board.tasks', { count: openTasks(tasks) })}</span>}
        <span className={styles.quiet}>
          <Time value={updated ?? created} />
        </span>
      </div>
    </li>
  );
}
