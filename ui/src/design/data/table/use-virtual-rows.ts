import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';

export interface VirtualRow {
  readonly index: number;
  /** Pixels below the first row. */
  readonly top: number;
}

export interface VirtualRowsOptions {
  readonly count: number;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Stays in the page when it is scrolled out of sight: the focus is there. */
  readonly keep?: number | undefined;
  /** Pixels of the scroller that a head covers. */
  readonly headHeight?: number;
  readonly onVisibleRange?: ((first: number, last: number) => void) | undefined;
}

const OVERSCAN = 8;
/** Chromium draws nothing further down than 33,554,428 pixels. */
const MAX_HEIGHT = 33_000_000;
const RANGE_INTERVAL = 60;

/**
 * Returns the rows in sight of a list of rows of one height, and keeps its scroller and its data
 * informed.
 */
export function useVirtualRows({
  count,
  rowHeight,
  scroller,
  keep,
  headHeight = 0,
  onVisibleRange,
}: VirtualRowsOptions) {
  // The virtualizer is one object that changes: the compiler would keep what it answered first.
  'use no memo';
  const shownCount = Math.min(count, Math.floor(MAX_HEIGHT / rowHeight));
  const virtualizer = useVirtualizer({
    count: shownCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollPaddingEnd: headHeight,
    // Rows are in the frame of the scroll that shows them; a later commit is laid out by the next scroll event, too.
    useFlushSync: true,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (keep === undefined || keep < 0 || keep >= shownCount || indexes.includes(keep)) return indexes;
      return [...indexes, keep].sort((left, right) => left - right);
    },
  });
  const measured = useRef(rowHeight);
  useEffect(() => {
    if (measured.current === rowHeight) return;
    measured.current = rowHeight;
    virtualizer.measure();
  }, [rowHeight, virtualizer]);

  const first = virtualizer.range?.startIndex ?? 0;
  const last = Math.min(virtualizer.range?.endIndex ?? 0, Math.max(0, shownCount - 1));
  useRangeReport(first, last, shownCount, onVisibleRange);

  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }): VirtualRow => ({ index, top: start })),
    height: virtualizer.getTotalSize(),
    /** Rows that fit on a page. */
    pageSize: Math.max(1, last - first),
    first,
    last,
    scrollTo: (index: number, align: 'auto' | 'start' | 'center' = 'auto') =>
      virtualizer.scrollToIndex(index, { align }),
  };
}

/** Reports at once, then at most every 60 ms, and always where the scrolling ended. */
function useRangeReport(
  first: number,
  last: number,
  count: number,
  report: ((first: number, last: number) => void) | undefined,
): void {
  const latest = useRef(0);
  useEffect(() => {
    if (report === undefined || count === 0) return;
    const wait = Math.max(0, latest.current + RANGE_INTERVAL - performance.now());
    const timer = setTimeout(() => {
      latest.current = performance.now();
      report(first, last);
    }, wait);
    return () => clearTimeout(timer);
  }, [first, last, count, report]);
}
