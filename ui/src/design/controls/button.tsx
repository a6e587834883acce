import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactElement } from 'react';
import styles from './button.module.css';
import { type ButtonKind, buttonClass } from './button-class.ts';
import { Kbd } from './kbd.tsx';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The name, in words. A button of an icon alone is an IconButton. */
  readonly children: string;
  readonly kind?: ButtonKind | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Keys that do the same, for example `Ctrl K`; shown inside the button. */
  readonly keys?: string | undefined;
  /** True while what the button started runs: it keeps the focus and takes no press. */
  readonly busy?: boolean | undefined;
}

/** Draws a button with a name; `type` is `button` unless given. */
export function Button({
  children,
  kind,
  icon: Icon,
  keys,
  busy,
  className,
  onClick,
  ...rest
}: ButtonProps): ReactElement {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {Icon && <Icon className={styles.icon} size={16} aria-hidden />}
      <span className={styles.label}>{children}</span>
      {keys && <Kbd keys={keys} />}
    </button>
  );
}
