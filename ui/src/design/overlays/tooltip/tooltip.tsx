import { cloneElement, type ReactElement, useEffect } from 'react';
import { LatePart } from '../../late/late-part.ts';

/** Draws the tooltips of the page; loaded when it has a first one. */
export const tooltipHost = new LatePart(async () => (await import('./tooltip-host.tsx')).TooltipHost);

export interface TooltipProps {
  readonly text: string;
  /** Keys that do the same as the element. */
  readonly keys?: string | undefined;
  /** The side with room for it; default: above. */
  readonly side?: 'right' | undefined;
  /** One element that takes the focus and has a name of its own. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * Shows a hint and keys beside an element that is pointed at or focused. The element holds the words
 * alone, so that 1,000 buttons of a list cost no listeners; TooltipHost watches the page.
 */
export function Tooltip({ text, keys, side, children }: TooltipProps): ReactElement {
  useEffect(tooltipHost.loadWhenIdle, []);
  return cloneElement(children, { 'data-hint': text, 'data-hint-keys': keys, 'data-hint-side': side });
}
