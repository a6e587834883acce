import type { ReactElement, ReactNode, RefObject } from 'react';
import { LatePart, useLatePart } from '../late/late-part.ts';
import styles from './dialog.module.css';

// No dialogue is open at first.
const surface = new LatePart(async () => (await import('./dialog-surface.tsx')).DialogSurface);

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the main one last. A form of its own draws them in `children` by DialogFooter. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  /** Default: the first field, else the first button with words, also of content that loads later. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

/** Draws a modal dialogue; focus stays inside and returns to where it was. */
export function Dialog(props: DialogProps): ReactElement | null {
  const Surface = useLatePart(surface, props.open);
  return Surface === undefined ? null : <Surface {...props} />;
}

/** Draws the buttons of a dialogue. */
export function DialogFooter({ children }: { readonly children: ReactNode }): ReactElement {
  return <footer className={styles.footer}>{children}</footer>;
}
