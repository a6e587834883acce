import { useMemo } from 'react';
import { ShapeIcon } from '../../design/data/marks/shape.tsx';
import type { Column } from '../../design/data/table/columns.ts';
import { DataTable } from '../../design/data/table/data-table.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { type Opinion, selectorKey } from './findings.ts';
import styles from './look-up.module.css';
import { OPINION_APPEARANCES } from './opinion-mark.tsx';
import type { TextPart, TextRows } from './text-rows.ts';

interface Props {
  readonly rows: TextRows;
  readonly opinions: ReadonlyMap<string, Opinion>;
  readonly activeIndex: number | undefined;
  readonly onActiveIndex: (index: number) => void;
}

/** Shows input of any length with the values in it marked by the worst opinion about them. */
export function MarkedText({ rows, opinions, activeIndex, onActiveIndex }: Props) {
  const { t } = useTranslation();
  const columns = useMemo<Column<number>[]>(
    () => [
      { id: 'line', title: t('lookUp.line'), width: 64, align: 'end', cell: (row) => rows.lineAt(row) },
      {
        id: 'text',
        title: t('lookUp.text'),
        width: 760,
        grow: true,
        cell: (row) => <RowParts parts={rows.partsAt(row)} opinions={opinions} />,
      },
    ],
    [rows, opinions, t],
  );
  return (
    <DataTable
      label={t('lookUp.markedText')}
      columns={columns}
      rowCount={rows.count}
      rowAt={sameIndex}
      activeIndex={activeIndex}
      onActiveIndex={onActiveIndex}
    />
  );
}

function sameIndex(index: number): number {
  return index;
}

function RowParts({ parts, opinions }: { readonly parts: readonly TextPart[]; readonly opinions: Props['opinions'] }) {
  let place = 0;
  return parts.map(({ text, selector }) => {
    const key = place;
    place += text.length;
    if (selector === undefined) return <Value key={key} value={text} inline />;
    const opinion = opinions.get(selectorKey(selector)) ?? 'none';
    const { shape, colour } = OPINION_APPEARANCES[opinion];
    return (
      <mark key={key} className={styles.selector} data-opinion={opinion}>
        {opinion !== 'none' && <ShapeIcon shape={shape} colour={colour} />}
        <Value value={text} inline />
      </mark>
    );
  });
}
