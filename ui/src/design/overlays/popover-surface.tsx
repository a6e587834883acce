import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement } from 'react';
import hidden from '../controls/visually-hidden.module.css';
import styles from './popover.module.css';
import type { PopoverProps } from './popover.tsx';
import popup from './popup.module.css';

/** Draws a popover and the button that opens it. */
export function Surface(props: PopoverProps): ReactElement {
  const { trigger, title, titleHidden, children, open, onOpenChange, side = 'bottom', align = 'start' } = props;
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} side={side} align={align} collisionPadding={4}>
          <Base.Popup className={`${popup.popup} ${styles.popover}`}>
            <Base.Title className={titleHidden ? hidden.hidden : styles.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
