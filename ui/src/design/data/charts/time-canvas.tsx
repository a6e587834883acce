import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import './uplot.css';
import { axisLabels, stacked } from './histogram.ts';
import { colourOf, useThemeName } from './theme-colours.ts';
import type { TimeHistogramProps } from './time-histogram.tsx';

interface TimeCanvasProps extends Pick<TimeHistogramProps, 'buckets' | 'series' | 'from' | 'to'> {
  readonly isUtc: boolean;
  readonly height: number;
  /** Indexes of the chosen bars, for the keyboard. */
  readonly marked: readonly [number, number] | undefined;
  /** Milliseconds since 1970. */
  readonly onDrag: (from: number, to: number) => void;
}

const FONT = '11px "Inter Variable", sans-serif';

/** Draws the bars. In a file of its own: uPlot is loaded when the first chart is shown. */
export function TimeCanvas({ buckets, series, from, to, isUtc, height, marked, onDrag }: TimeCanvasProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const drag = useRef(onDrag);
  const theme = useThemeName();
  useEffect(() => {
    drag.current = onDrag;
  });
  const seriesKey = series.map(({ id, colour }) => `${id} ${colour}`).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: seriesKey and theme stand for what the options are made of.
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const axis = {
      font: FONT,
      stroke: colourOf('text-3'),
      grid: { stroke: colourOf('line'), width: 1 },
      ticks: { show: false },
    };
    const bars = uPlot.paths.bars?.({ size: [0.9, 64], align: 1 });
    const made = new uPlot(
      {
        width: Math.max(100, element.clientWidth),
        height,
        legend: { show: false },
        padding: [4, 32, 0, 0],
        tzDate: (seconds) => (isUtc ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
        scales: { x: { time: true }, y: { range: (_plot, _min, max) => [0, Math.max(1, max)] } },
        axes: [
          {
            ...axis,
            size: 20,
            gap: 2,
            grid: { show: false },
            values: (_plot, splits, _axis, _space, step) => axisLabels(splits, step, isUtc ? 'utc' : 'local'),
          },
          {
            ...axis,
            size: 40,
            gap: 4,
            space: 16,
            // The axis stands at zero; its number would lie on the first date.
            values: (_plot, splits) => splits.map((count) => (count === 0 ? '' : String(count))),
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
          },
        ],
        series: [
          {},
          ...series.toReversed().map(({ label, colour }) => ({
            label,
            fill: colourOf(colour),
            stroke: colourOf(colour),
            width: 0,
            points: { show: false },
            ...(bars ? { paths: bars } : {}),
          })),
        ],
        hooks: {
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < 2) return;
              const [start, end] = [left, left + width].map((place) => self.posToVal(place, 'x') * 1000);
              self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              if (start !== undefined && end !== undefined) drag.current(start, end);
            },
          ],
        },
      },
      [[], ...series.map(() => [])],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(100, element.clientWidth), height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [seriesKey, theme, isUtc, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot needs its data again.
  useEffect(() => {
    const heights = stacked(
      buckets,
      series.map(({ id }) => id),
    ).toReversed();
    plot.current?.setData([buckets.map(({ start }) => start / 1000), ...heights], false);
    plot.current?.setScale('x', { min: from / 1000, max: to / 1000 });
  }, [buckets, from, to, seriesKey, theme, isUtc, height]);

  useEffect(() => {
    const shown = plot.current;
    if (shown === undefined) return;
    const [first, last] = marked ?? [-1, -1];
    const [left, right] = [
      buckets[first]?.start,
      buckets[last + 1]?.start ?? (buckets[last] === undefined ? undefined : to),
    ];
    if (left === undefined || right === undefined) {
      shown.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      return;
    }
    const [start, end] = [shown.valToPos(left / 1000, 'x'), shown.valToPos(right / 1000, 'x')];
    shown.setSelect({ left: start, top: 0, width: Math.max(2, end - start), height: shown.over.clientHeight }, false);
  }, [marked, buckets, to]);

  return <div ref={holder} style={{ height }} aria-hidden />;
}
