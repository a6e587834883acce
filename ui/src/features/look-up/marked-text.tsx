import { useEffect, useMemo, useRef, useState } from 'react';
import { ShapeIcon } from '../../design/data/marks/shape.tsx';
import type { Column } from '../../design/data/table/columns.ts';
import { DataTable } from '../../design/data/table/data-table.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { type Opinion, selectorKey } from './findings.ts';
import styles from './look-up.module.css';
import { OPINION_APPEARANCES } from './opinion-mark.tsx';
import { type Selector, type TextPart, TextRows } from './text-rows.ts';

interface Props {
  readonly text: string;
  readonly selectors: readonly Selector[];
  readonly opinions: ReadonlyMap<string, Opinion>;
  /** The place of the text whose row is active. */
  readonly place: number | undefined;
  readonly onPlace: (place: number) => void;
}

const LINE_WIDTH = 64;
/** Size of the font of data, in pixels. */
const CHARACTER_WIDTH = 7.2;
/** Pixels at both sides of the text. */
const PADDING = 16;

/** Shows input of any length with the values in it marked by the worst opinion about them. */
export function MarkedText({ text, selectors, opinions, place, onPlace }: Props) {
  const { t } = useTranslation();
  const { frame, length } = useRowLength();
  const rows = useMemo(() => new TextRows(text, selectors, length), [text, selectors, length]);
  const columns = useMemo<Column<number>[]>(
    () => [
      { id: 'line', title: t('lookUp.line'), width: LINE_WIDTH, align: 'end', cell: (row) => rows.lineAt(row) },
      {
        id: 'text',
        title: t('lookUp.text'),
        width: 120,
        grow: true,
        cell: (row) => <RowParts parts={rows.partsAt(row)} opinions={opinions} />,
      },
    ],
    [rows, opinions, t],
  );
  return (
    <div ref={frame} className={styles.text}>
      <DataTable
        label={t('lookUp.markedText')}
        columns={columns}
        rowCount={rows.count}
        rowAt={sameIndex}
        activeIndex={place === undefined ? undefined : rows.rowOf(place)}
        onActiveIndex={(index) => onPlace(rows.placeOf(index))}
      />
    </div>
  );
}

function sameIndex(index: number): number {
  return index;
}

/** Returns how many characters fit into a row, and the element around the rows, which is measured. */
function useRowLength() {
  const frame = useRef<HTMLDivElement>(null);
  const [length, setLength] = useState<number>();
  useEffect(() => {
    const grid = frame.current?.querySelector('[role="grid"]');
    if (!grid) return undefined;
    const observer = new ResizeObserver(() =>
      setLength(Math.floor((grid.clientWidth - LINE_WIDTH - PADDING) / CHARACTER_WIDTH)),
    );
    observer.observe(grid);
    return () => observer.disconnect();
  }, []);
  return { frame, length };
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
