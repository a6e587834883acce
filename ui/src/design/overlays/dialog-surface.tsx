import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './dialog.module.css';
import { DialogFooter, type DialogProps } from './dialog.tsx';

const FIELDS = 'input:not([aria-hidden="true"], :disabled), textarea:not(:disabled), [role="combobox"]';

/** Draws the dialogue with Base UI. */
export function DialogSurface(props: DialogProps): ReactElement {
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
            <div className={styles.header}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton icon={X} label={t('common.close')} keys="Esc" />} />
            </div>
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
