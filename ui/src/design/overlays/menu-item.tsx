import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { LatePart, useLatePart } from '../late/late-part.ts';

/** Base UI's menus, loaded after the page: no menu is open at first. */
export const menuParts = new LatePart(() => import('./menu-parts.tsx'));

export interface MenuItemProps {
  readonly children: string;
  readonly onSelect?: (() => void) | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Keys that do the same. */
  readonly keys?: string | undefined;
  readonly detail?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** A link to draw instead, for example `<Link to="/alerts" />`. */
  readonly link?: ReactElement<Record<string, unknown>> | undefined;
}

/** Draws a command of a Menu or a ContextMenu. */
export function MenuItem(props: MenuItemProps): ReactElement | null {
  const parts = useLatePart(menuParts, true);
  return parts === undefined ? null : <parts.Item {...props} />;
}

export interface MenuCheckProps {
  readonly children: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly keys?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** Draws a command that switches something on and off; the menu stays open. */
export function MenuCheck(props: MenuCheckProps): ReactElement | null {
  const parts = useLatePart(menuParts, true);
  return parts === undefined ? null : <parts.Check {...props} />;
}

export interface MenuGroupProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Draws commands that belong together, below a head. */
export function MenuGroup(props: MenuGroupProps): ReactElement | null {
  const parts = useLatePart(menuParts, true);
  return parts === undefined ? null : <parts.Group {...props} />;
}

export interface SubMenuProps extends MenuGroupProps {
  readonly icon?: LucideIcon | undefined;
  readonly disabled?: boolean | undefined;
}

/** Draws a command that opens more commands at its side. */
export function SubMenu(props: SubMenuProps): ReactElement | null {
  const parts = useLatePart(menuParts, true);
  return parts === undefined ? null : <parts.SubMenu {...props} />;
}

export function MenuSeparator(): ReactElement | null {
  const parts = useLatePart(menuParts, true);
  return parts === undefined ? null : <parts.Separator />;
}
