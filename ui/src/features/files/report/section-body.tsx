import { JsonView } from '../../../design/data/records/json-view.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { SimpleTable } from '../../../design/layout/simple-table.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { plainString } from '../../../json/members.ts';

/** Characters of a body before "show all". */
const MAX_CHARACTERS = 20_000;
const MAX_ROWS = 200;
const MAX_COLUMNS = 20;

interface BodyRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly index: number;
}

interface Props {
  readonly format: string;
  readonly body: unknown;
}

/** Shows the body of a section: strings as they are, tables as tables, other formats as their data. */
export function SectionBody({ format, body }: Props) {
  const { t } = useTranslation();
  if (body === null || body === undefined || body === '') return null;
  if (typeof body === 'string') return <Value value={body} lines limit={MAX_CHARACTERS} copy />;
  const rows = format === 'TABLE' && Array.isArray(body) ? body.filter(isRecord) : [];
  if (rows.length === 0) return <JsonView value={body} label={t('files.body')} />;
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  return (
    <>
      <SimpleTable<BodyRow>
        label={t('files.body')}
        rows={rows.slice(0, MAX_ROWS).map((row, index) => ({ row, index }))}
        keyOf={({ index }) => String(index)}
        columns={columns.map((name) => ({
          id: name,
          title: name,
          cell: ({ row }) => <Value value={plainString(row[name])} limit={200} />,
        }))}
      />
      {rows.length > MAX_ROWS && <p>{t('files.moreRows', { count: rows.length - MAX_ROWS })}</p>}
    </>
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
