import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import { Button } from '../controls/button.tsx';
import { ProblemPanel } from '../states/problem-panel.tsx';
import styles from './dialog.module.css';
import { DialogFooter } from './dialog.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** A question that names the thing: `Delete the view "Phishing"?`. */
  readonly title: string;
  /** The consequences, and what depends on the thing. */
  readonly children: ReactNode;
  /** The verb: `Delete`. */
  readonly confirmLabel: string;
  /** Runs once; the dialogue closes when it resolves and shows the problem when it rejects. */
  readonly onConfirm: () => unknown;
  /** True for what cannot be undone: the first focus is then on Cancel. */
  readonly danger?: boolean | undefined;
}

/** Asks before something is done; a press outside does not close it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { open, onClose, title, children, confirmLabel, onConfirm, danger } = props;
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);

  const close = () => {
    setProblem(undefined);
    onClose();
  };
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      close();
    } catch (cause) {
      setProblem(cause);
    }
    setBusy(false);
  };

  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !isBusy && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup className={`${styles.popup} ${styles.small}`} initialFocus={danger ? cancel : confirm}>
            <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description className={styles.words} render={<div />}>
              {children}
            </AlertDialog.Description>
            {problem !== undefined && <ProblemPanel problem={problem} />}
            <DialogFooter>
              <Button ref={cancel} onClick={close} disabled={isBusy}>
                {t('common.cancel')}
              </Button>
              <Button ref={confirm} kind={danger ? 'danger' : 'primary'} busy={isBusy} onClick={run}>
                {confirmLabel}
              </Button>
            </DialogFooter>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
