import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './saved.module.css';

interface Props {
  readonly name: string;
  /** Says who deletes the object, where this person may not. */
  readonly refused?: string | undefined;
  /** Says what depends on the object. */
  readonly children: ReactNode;
  readonly onDelete: () => Promise<unknown>;
}

/** Deletes an object after a question that says what depends on it, or says who may. */
export function DeleteButton({ name, refused, children, onDelete }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (refused !== undefined) return <p className={styles.quiet}>{refused}</p>;
  return (
    <>
      <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
        {t('common.delete')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('saved.deleteTitle', { name })}
        confirmLabel={t('common.delete')}
        onConfirm={onDelete}
        danger
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
