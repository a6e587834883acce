import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './dialog.module.css';

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
  /** Default: the first field, else the first button. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

const FIELDS = 'input:not([aria-hidden="true"], :disabled), textarea:not(:disabled), [role="combobox"]';

/** Draws a modal dialogue; focus stays inside and returns to where it was. */
export function Dialog(props: DialogProps): ReactElement {
  const { open, onClose, title, description, children, footer, size = 'medium', initialFocus } = props;
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  const firstField = () => body.current?.querySelector<HTMLElement>(FIELDS) ?? true;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={`${styles.popup} ${styles[size]}`} initialFocus={initialFocus ?? firstField}>
            <header className={styles.header}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton icon={X} label={t('common.close')} keys="Esc" />} />
            </header>
            {description !== undefined && <Base.Description className={styles.words}>{description}</Base.Description>}
            {children !== undefined && (
              <div ref={body} className={styles.body}>
                {children}
              </div>
            )}
            {footer !== undefined && <DialogFooter>{footer}</DialogFooter>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Draws the buttons of a dialogue. */
export function DialogFooter({ children }: { readonly children: ReactNode }): ReactElement {
  return <footer className={styles.footer}>{children}</footer>;
}
