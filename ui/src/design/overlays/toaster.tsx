import { Toast } from '@base-ui/react/toast';
import { CircleAlert, X } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './toast.module.css';
import { closeToast, connectToasts, type ShownToast, type ToastAction } from './toasts.ts';

interface ToastData {
  readonly action: ToastAction | undefined;
}

function optionsOf({ id, sentence, kind = 'note', action, seconds }: ShownToast) {
  return {
    id,
    // A toast takes its name from its title; it has no other words.
    title: sentence,
    type: kind,
    priority: kind === 'problem' ? ('high' as const) : ('low' as const),
    timeout: (seconds ?? (action === undefined ? 6 : 10)) * 1000,
    data: { action },
  };
}

/** Draws the toasts of the page; F6 moves the focus to them. DesignRoot holds it. */
export function Toaster(): ReactElement {
  return (
    <Toast.Provider limit={3}>
      <Toasts />
    </Toast.Provider>
  );
}

function Toasts(): ReactElement {
  const { t } = useTranslation();
  const { toasts, add, close } = Toast.useToastManager<ToastData>();
  useEffect(() => connectToasts({ show: (toast) => void add(optionsOf(toast)), close }), [add, close]);
  return (
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport} aria-label={t('design.notifications')}>
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={[]}>
            {toast.type === 'problem' && <CircleAlert className={styles.mark} size={16} aria-hidden />}
            <Toast.Title className={styles.words} render={<div />} />
            {toast.data?.action && (
              <Button
                keys={toast.data.action.keys}
                onClick={() => {
                  toast.data?.action?.run();
                  closeToast(toast.id);
                }}
              >
                {toast.data.action.label}
              </Button>
            )}
            <Toast.Close render={<IconButton icon={X} label={t('common.close')} small />} />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
