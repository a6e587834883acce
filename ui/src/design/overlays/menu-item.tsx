import { Menu as Base } from '@base-ui/react/menu';
import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import popup from './popup.module.css';

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
export function MenuItem(props: MenuItemProps): ReactElement {
  const { children, onSelect, icon: Icon, keys, detail, danger, disabled, link } = props;
  const content = (
    <>
      <span className={popup.mark}>{Icon && <Icon size={16} aria-hidden />}</span>
      <span className={popup.words}>{children}</span>
      {detail && <span className={popup.detail}>{detail}</span>}
      {keys && <Kbd keys={keys} />}
    </>
  );
  const className = danger ? `${popup.item} ${popup.danger}` : popup.item;
  if (link) {
    return (
      <Base.LinkItem className={className} render={link} closeOnClick onClick={onSelect} label={children}>
        {content}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item className={className} onClick={onSelect} disabled={disabled} label={children}>
      {content}
    </Base.Item>
  );
}

export interface MenuCheckProps {
  readonly children: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly keys?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** Draws a command that switches something on and off; the menu stays open. */
export function MenuCheck({ children, checked, onChange, keys, disabled }: MenuCheckProps): ReactElement {
  return (
    <Base.CheckboxItem
      className={popup.item}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      label={children}
    >
      <span className={popup.mark}>
        <Base.CheckboxItemIndicator>
          <Check size={16} aria-hidden />
        </Base.CheckboxItemIndicator>
      </span>
      <span className={popup.words}>{children}</span>
      {keys && <Kbd keys={keys} />}
    </Base.CheckboxItem>
  );
}

export interface MenuGroupProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Draws commands that belong together, below a head. */
export function MenuGroup({ label, children }: MenuGroupProps): ReactElement {
  return (
    <Base.Group>
      <Base.GroupLabel className={popup.head}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

export interface SubMenuProps extends MenuGroupProps {
  readonly icon?: LucideIcon | undefined;
  readonly disabled?: boolean | undefined;
}

/** Draws a command that opens more commands at its side. */
export function SubMenu({ label, icon: Icon, disabled, children }: SubMenuProps): ReactElement {
  return (
    <Base.SubmenuRoot disabled={disabled}>
      <Base.SubmenuTrigger className={popup.item} label={label}>
        <span className={popup.mark}>{Icon && <Icon size={16} aria-hidden />}</span>
        <span className={popup.words}>{label}</span>
        <ChevronRight size={16} aria-hidden />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner sideOffset={-2} alignOffset={-5} collisionPadding={4}>
          <Base.Popup className={`${popup.popup} ${popup.list}`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

export function MenuSeparator(): ReactElement {
  return <Base.Separator className={popup.separator} />;
}
