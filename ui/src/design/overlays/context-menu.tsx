import { ContextMenu as Base } from '@base-ui/react/context-menu';
import type { ReactElement, ReactNode } from 'react';
import popup from './popup.module.css';

export interface ContextMenuProps {
  /** The element that takes the right click, for example a whole list. */
  readonly target: ReactElement<Record<string, unknown>>;
  /** Hears which element was pointed at, before the menu opens. */
  readonly onOpen?: ((element: Element) => void) | undefined;
  /** MenuItem and the other parts of a Menu. */
  readonly children: ReactNode;
}

/** Draws a menu at the pointer; every command in it needs another way by keyboard. */
export function ContextMenu({ target, onOpen, children }: ContextMenuProps): ReactElement {
  return (
    <Base.Root
      onOpenChange={(open, { event }) => {
        if (open && event.target instanceof Element) onOpen?.(event.target);
      }}
    >
      <Base.Trigger render={target} />
      <Base.Portal>
        <Base.Positioner collisionPadding={4}>
          <Base.Popup className={`${popup.popup} ${popup.list}`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
