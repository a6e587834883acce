import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { lateComponent } from '../../late/late-component.tsx';
import { useDisplaySettings } from '../display-settings.ts';
import type { ColourToken } from '../marks/severity.ts';
import { formatTime } from '../values/date-format.ts';
import { formatNumber } from '../values/numbers.ts';
import { ChartWithTable } from './chart-with-table.tsx';
import styles from './charts.module.css';
import { rangeOf, type TimeBucket, wholeBars } from './histogram.ts';

const TimeCanvas = lateComponent(async () => (await import('./time-canvas.tsx')).TimeCanvas);

export interface TimeSeries {
  readonly id: string;
  readonly label: string;
  readonly colour: ColourToken;
}

export interface TimeHistogramProps {
  readonly label: string;
  /** In the order of time, without gaps. */
  readonly buckets: readonly TimeBucket[];
  /** From the bottom of a bar to its top. */
  readonly series: readonly TimeSeries[];
  /** The range of the axis in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** A drag, or Enter after the arrow keys, sets the range, widened to whole bars. */
  readonly onRange?: (from: number, to: number) => void;
  readonly height?: number;
  readonly hideLabel?: boolean;
  /** The meaning of the colours, in the line of the title. */
  readonly legend?: ReactNode;
}

/**
 * Shows counts over time as stacked bars; their range can be chosen by mouse and keys, and read as a
 * table.
 */
export function TimeHistogram({
  label,
  buckets,
  series,
  from,
  to,
  onRange,
  height = 96,
  hideLabel = false,
  legend,
}: TimeHistogramProps) {
  const { t, i18n } = useTranslation();
  const { zone } = useDisplaySettings();
  const [cursor, setCursor] = useState<{ readonly anchor: number; readonly at: number }>();
  const whole = to - from;
  const time = (bucket: TimeBucket | undefined) => (bucket ? formatTime(new Date(bucket.start), zone, 'minute') : '');
  const total = (bucket: TimeBucket | undefined) => series.reduce((sum, { id }) => sum + (bucket?.counts[id] ?? 0), 0);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const last = buckets.length - 1;
    const at = cursor?.at ?? -1;
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (target !== undefined && last >= 0) {
      const place = Math.max(0, Math.min(last, target));
      setCursor({ anchor: event.shiftKey && cursor ? cursor.anchor : place, at: place });
    } else if (event.key === 'Enter' && cursor !== undefined) {
      const range = rangeOf(buckets, cursor.anchor, cursor.at, whole);
      if (range) onRange?.(range.from, range.to);
    } else if (event.key === 'Escape' && cursor !== undefined) setCursor(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onDrag = (start: number, end: number) => {
    const range = wholeBars(buckets, start, end, whole);
    if (range) onRange?.(range.from, range.to);
  };
  const marked = cursor && ([Math.min(cursor.anchor, cursor.at), Math.max(cursor.anchor, cursor.at)] as const);
  const at = cursor && buckets[cursor.at];
  const words = cursor
    ? t('data.chart.bar', { time: time(at), number: formatNumber(total(at), i18n.language) })
    : t('data.chart.noBar');
  return (
    <ChartWithTable
      label={label}
      hideLabel={hideLabel}
      legend={legend}
      columns={[t('data.chart.time'), ...series.map((one) => one.label)]}
      rows={buckets.map((bucket) => [time(bucket), ...series.map(({ id }) => bucket.counts[id] ?? 0)])}
    >
      <div
        role="slider"
        tabIndex={0}
        className={styles.histogram}
        aria-label={t('data.chart.choose', { label })}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={cursor?.at ?? 0}
        aria-valuetext={words}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(undefined)}
      >
        <Suspense fallback={<div style={{ height }} />}>
          <TimeCanvas
            buckets={buckets}
            series={series}
            from={from}
            to={to}
            isUtc={zone === 'utc'}
            height={height}
            marked={marked}
            onDrag={onDrag}
          />
        </Suspense>
        <span className={styles.hint} aria-hidden>
          {cursor ? words : ''}
        </span>
      </div>
    </ChartWithTable>
  );
}
