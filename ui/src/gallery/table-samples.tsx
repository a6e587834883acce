import { type ReactElement, useState } from 'react';
import { severityOfNumber } from '../design/data/marks/severity.ts';
import { AssessmentMark, EscalationMark, SeverityMark, StatusMark } from '../design/data/marks/severity-marks.tsx';
import type { Column, ColumnWidths, Sort } from '../design/data/table/columns.ts';
import { DataTable } from '../design/data/table/data-table.tsx';
import {
  ALL_SELECTED,
  extended,
  isSelected,
  NOTHING_SELECTED,
  selectionState,
  toggled,
} from '../design/data/table/selection.ts';
import { Tags } from '../design/data/values/tags.tsx';
import { Time } from '../design/data/values/time.tsx';
import { UserName } from '../design/data/values/user-name.tsx';
import { Value } from '../design/data/values/value.tsx';
import { Frame } from './gallery.tsx';
import { type SampleAlert, sampleAlert } from './sample-alerts.ts';

const COLUMNS: readonly Column<SampleAlert>[] = [
  {
    id: 'severity',
    title: 'Severity',
    width: 90,
    sortable: true,
    cell: ({ severity }) => <SeverityMark value={severityOfNumber(severity)} />,
  },
  { id: 'time', title: 'Time', width: 164, sortable: true, cell: ({ time }) => <Time value={time} form="absolute" /> },
  {
    id: 'analytic',
    title: 'Analytic',
    width: 150,
    cell: ({ analytic }) => <Value value={analytic} inline limit={120} />,
  },
  {
    id: 'outline',
    title: 'Outline',
    width: 260,
    grow: true,
    cell: ({ outline }) => <Value value={outline} inline limit={200} />,
  },
  { id: 'status', title: 'Status', width: 110, sortable: true, cell: ({ status }) => <StatusMark value={status} /> },
  { id: 'assignee', title: 'Assignee', width: 150, cell: ({ user }) => <UserName user={user} /> },
  { id: 'labels', title: 'Labels', width: 160, cell: ({ labels }) => <Tags values={labels} max={2} inline /> },
  {
    id: 'escalation',
    title: 'Escalation',
    width: 110,
    cell: ({ escalation }) => <EscalationMark value={escalation} />,
  },
  {
    id: 'assessment',
    title: 'Assessment',
    width: 110,
    cell: ({ severity }) => (severity > 50 ? <AssessmentMark value="recon" /> : null),
  },
];

const loaded = new Map<number, SampleAlert>();

/** A real list gives the same object for the same row. */
function rowAt(index: number): SampleAlert {
  const known = loaded.get(index);
  if (known !== undefined) return known;
  if (loaded.size > 2_000) loaded.clear();
  const made = sampleAlert(index);
  loaded.set(index, made);
  return made;
}

const ROWS = 100_000;

/** Draws 100,000 rows that can be chosen, sorted by their heads, and resized. */
export function TableSamples(): ReactElement {
  return (
    <Frame>
      <SampleTable rowCount={ROWS} />
    </Frame>
  );
}

function SampleTable({ rowCount }: { readonly rowCount: number }): ReactElement {
  const [active, setActive] = useState<number>();
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [widths, setWidths] = useState<ColumnWidths>({});
  const [sort, setSort] = useState<Sort>({ column: 'time', direction: 'descending' });
  return (
    <DataTable
      label="Alerts"
      columns={COLUMNS}
      rowCount={rowCount}
      rowAt={rowAt}
      activeIndex={active}
      onActiveIndex={setActive}
      isSelected={({ id }) => isSelected(selection, id)}
      selectionState={selectionState(selection, rowCount)}
      onSelect={(index, how) =>
        setSelection((before) =>
          how === 'toggle'
            ? toggled(before, rowAt(index).id, index)
            : extended(before, index, active, (place) => rowAt(place).id),
        )
      }
      onSelectAll={() => setSelection((before) => (before.all ? NOTHING_SELECTED : ALL_SELECTED))}
      sort={sort}
      onSort={setSort}
      widths={widths}
      onResize={(column, width) => setWidths((before) => ({ ...before, [column]: width }))}
      stateOf={({ id }) => (id === 'alert-4' ? 'deleted' : id === 'alert-7' ? 'changed' : undefined)}
      narrow={({ severity, outline, time }) => (
        <>
          <span>
            <SeverityMark value={severityOfNumber(severity)} /> <Time value={time} />
          </span>
          <Value value={outline} inline limit={200} />
        </>
      )}
    />
  );
}
