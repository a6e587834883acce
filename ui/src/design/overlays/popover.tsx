import type { ReactElement, ReactNode } from 'react';
import { LatePart } from '../late/late-part.ts';
import { LateSurface } from './late-surface.tsx';

const popoverSurface = new LatePart(() => import('./popover-surface.tsx'));

export interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** The name of the popover for screen readers, and its title unless `titleHidden`. */
  readonly title: string;
  readonly titleHidden?: boolean | undefined;
  readonly children: ReactNode;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  readonly align?: 'start' | 'center' | 'end' | undefined;
}

/** Draws a surface beside the button that opens it; Escape and a press outside close it. */
export function Popover(props: PopoverProps): ReactElement {
  return <LateSurface part={popoverSurface} kind="dialog" surface={props} />;
}
