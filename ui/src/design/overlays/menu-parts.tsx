import { Menu as Base } from '@base-ui/react/menu';
import { Check as CheckIcon, ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import type { MenuProps } from './menu.tsx';
import type { MenuCheckProps, MenuGroupProps, MenuItemProps, SubMenuProps } from './menu-item.tsx';
import popup from './popup.module.css';

/** Draws a menu and the button that opens it. */
export function Surface({
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

/** Draws a command. */
export function Item(props: MenuItemProps): ReactElement {
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

/** Draws a command that switches something on and off; the menu stays open. */
export function Check({ children, checked, onChange, keys, disabled }: MenuCheckProps): ReactElement {
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
          <CheckIcon size={16} aria-hidden />
        </Base.CheckboxItemIndicator>
      </span>
      <span className={popup.words}>{children}</span>
      {keys && <Kbd keys={keys} />}
    </Base.CheckboxItem>
  );
}

/** Draws commands that belong together, below a head. */
export function Group({ label, children }: MenuGroupProps): ReactElement {
  return (
    <Base.Group>
      <Base.GroupLabel className={popup.head}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
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

export function Separator(): ReactElement {
  return <Base.Separator className={popup.separator} />;
}
