import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import popup from './popup.module.css';

export interface MenuProps {
  /** The button that opens the menu: a Button or an IconButton. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** MenuItem, MenuCheck, MenuGroup, SubMenu, MenuSeparator. */
  readonly children: ReactNode;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly side?: 'bottom' | 'right' | undefined;
  readonly align?: 'start' | 'end' | undefined;
}

/** Draws a menu of commands that a button opens. */
export function Menu({
  trigger,
  children,
  open,
  onOpenChange,
  side = 'bottom',
  align = 'start',
}: MenuProps): ReactElement {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={2} side={side} align={align} collisionPadding={4}>
          <Base.Popup className={`${popup.popup} ${popup.list}`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
