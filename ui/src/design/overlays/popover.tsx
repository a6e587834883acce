import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import styles from './popover.module.css';
import popup from './popup.module.css';

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
  const { trigger, title, titleHidden, children, open, onOpenChange, side = 'bottom', align = 'start' } = props;
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} side={side} align={align} collisionPadding={4}>
          <Base.Popup className={`${popup.popup} ${styles.popover}`}>
            <Base.Title className={titleHidden ? styles.hidden : styles.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
