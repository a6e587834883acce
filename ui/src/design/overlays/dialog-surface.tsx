import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './dialog.module.css';
import { DialogFooter, type DialogProps } from './dialog.tsx';

/** Controls that take the first focus, the best first; a button with a tooltip would show it unasked. */
const FIRST_CONTROLS = [
  ':is(input:not([aria-hidden="true"], :disabled), textarea:not(:disabled), [role="combobox"])',
  ':is(button:not(:disabled, [data-hint]), a[href])',
];

/** Draws the dialogue with Base UI. */
export function DialogSurface(props: DialogProps): ReactElement {
  const { open, onClose, title, description, children, footer, size = 'medium', initialFocus } = props;
  const { t } = useTranslation();
  const popup = useRef<HTMLDivElement>(null);
  const lacksControl = useRef(false);
  const chooseFocus = () => {
    const control = firstControl(popup.current);
    lacksControl.current = control === undefined;
    return control ?? popup.current;
  };
  // Content that is loaded after the opening gets the focus, unless it went elsewhere meanwhile.
  const watchContent = (body: HTMLElement | null) => {
    if (body === null) return undefined;
    const observer = new MutationObserver(() => {
      if (!lacksControl.current) return;
      const control = document.activeElement === popup.current ? firstControl(popup.current) : undefined;
      lacksControl.current = control === undefined && document.activeElement === popup.current;
      control?.focus();
    });
    observer.observe(body, { childList: true, subtree: true });
    return () => observer.disconnect();
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            className={`${styles.popup} ${styles[size]}`}
            initialFocus={initialFocus ?? chooseFocus}
          >
            <div className={styles.header}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton icon={X} label={t('common.close')} keys="Escape" />} />
            </div>
            {description !== undefined && <Base.Description className={styles.words}>{description}</Base.Description>}
            {children !== undefined && (
              <div ref={watchContent} className={styles.body} data-content>
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

/** Returns the first control of the content, else of the footer; undefined where Close is the only one. */
function firstControl(popup: HTMLElement | null): HTMLElement | undefined {
  for (const part of ['[data-content]', 'footer']) {
    for (const control of FIRST_CONTROLS) {
      const found = popup?.querySelector<HTMLElement>(`${part} ${control}`);
      if (found) return found;
    }
  }
  return undefined;
}
