import type { ReactElement, ReactNode } from 'react';
import { LateSurface } from './late-surface.tsx';
import { menuParts } from './menu-item.tsx';

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
export function Menu(props: MenuProps): ReactElement {
  return <LateSurface part={menuParts} kind="menu" surface={props} />;
}
