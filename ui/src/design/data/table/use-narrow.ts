import { type RefObject, useEffect, useState } from 'react';

const NARROW = 560;

/** Returns whether an element is too narrow for columns. */
export function useNarrow(element: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return;
    const observer = new ResizeObserver(([entry]) => setNarrow((entry?.contentRect.width ?? NARROW) < NARROW));
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return isNarrow;
}
