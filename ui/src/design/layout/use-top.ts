import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns what an element that scrolls takes as its `ref`, so that it is at its top whenever it shows
 * another record. Without it a record would begin where the one before was left.
 * @param record id of the record
 */
export function useTop<Element extends HTMLElement>(record: string): RefObject<Element | null> {
  const element = useRef<Element>(null);
  const shown = useRef(record);
  useLayoutEffect(() => {
    if (shown.current === record) return;
    shown.current = record;
    element.current?.scrollTo(0, 0);
  });
  return element;
}
