import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import { Tooltip } from '../overlays/tooltip/tooltip.tsx';
import styles from './button.module.css';
import { type ButtonKind, buttonClass } from './button-class.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: LucideIcon;
  /** The name: read aloud, and shown in the tooltip. */
  readonly label: string;
  /** Keys that do the same, shown in the tooltip. */
  readonly keys?: string | undefined;
  readonly kind?: ButtonKind | undefined;
  /** 24 px instead of the height of controls, for rows and chips. */
  readonly small?: boolean | undefined;
}

/** Draws a button of an icon alone, with its name and keys in a tooltip. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  kind = 'quiet',
  small,
  className = '',
  ...rest
}: IconButtonProps): ReactElement {
  const size = small ? `${styles.only} ${styles.small}` : styles.only;
  return (
    <Tooltip text={label} keys={keys}>
      <button type="button" {...rest} aria-label={label} className={buttonClass(kind, `${size} ${className}`)}>
        <Icon size={16} aria-hidden />
      </button>
    </Tooltip>
  );
}
