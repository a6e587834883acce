import { Value } from '../../design/data/values/value.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Source } from './ask.ts';
import styles from './look-up.module.css';

/** Values that the question shows. */
const SHOWN = 20;

interface Props {
  readonly open: boolean;
  /** Undefined: none was chosen yet. */
  readonly source: Source | undefined;
  readonly values: readonly { readonly type: string; readonly value: string }[];
  readonly onClose: () => void;
  readonly onAsk: (source: Source) => void;
}

/** Asks before a source outside of the installation learns values. */
export function AskQuestion({ open, source, values, onClose, onAsk }: Props) {
  const { t } = useTranslation();
  const name = source?.name ?? '';
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={t('lookUp.askTitle', { name })}
      confirmLabel={t('lookUp.ask', { name })}
      onConfirm={() => source && onAsk(source)}
      danger={source?.reach === 'active'}
    >
      <p>
        {t(source?.reach === 'passive' ? 'lookUp.passiveText' : 'lookUp.activeText', { name, count: values.length })}
      </p>
      <ul className={styles.values}>
        {values.slice(0, SHOWN).map(({ type, value }) => (
          <li key={`${type} ${value}`}>
            <Value value={value} limit={120} />
          </li>
        ))}
      </ul>
      {values.length > SHOWN && <p>{t('lookUp.andMore', { count: values.length - SHOWN })}</p>}
    </ConfirmDialog>
  );
}
