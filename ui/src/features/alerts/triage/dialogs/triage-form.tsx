import type { ReactNode } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Dialog, DialogFooter, type DialogProps } from '../../../../design/overlays/dialog.tsx';
import styles from './dialogs.module.css';

interface Props extends Pick<DialogProps, 'title' | 'size' | 'initialFocus' | 'onClose'> {
  readonly submitLabel: string;
  /** Keys of the button, where the form listens to some. */
  readonly keys?: string | undefined;
  readonly busy?: boolean | undefined;
  /** False: something is missing, and the form is not sent. */
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Draws a dialogue that asks for what one change of alerts needs. */
export function TriageForm({ submitLabel, keys, busy, isReady, onSubmit, children, ...dialog }: Props) {
  return (
    <Dialog open {...dialog}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onSubmit();
        }}
      >
        {children}
        <DialogFooter>
          <Button type="submit" kind="primary" keys={keys} busy={busy} disabled={!isReady}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
