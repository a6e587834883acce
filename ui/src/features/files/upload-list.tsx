import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../design/controls/button.tsx';
import { formatBytes } from '../../design/data/values/numbers.ts';
import { Value } from '../../design/data/values/value.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './files.module.css';
import type { Upload } from './upload-queue.ts';

/** Files of which more are counted alone. */
const MAX_SHOWN = 50;

interface Props {
  readonly uploads: readonly Upload[];
  readonly onCancel: (id: number) => void;
}

/** Shows how far each file is, with a button that cancels it. */
export function UploadList({ uploads, onCancel }: Props) {
  const { t } = useTranslation();
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={t('files.uploads')}>
      {uploads.slice(0, MAX_SHOWN).map((upload) => (
        <UploadLine key={upload.id} upload={upload} onCancel={onCancel} />
      ))}
      {uploads.length > MAX_SHOWN && <li>{t('files.moreRows', { count: uploads.length - MAX_SHOWN })}</li>}
    </ul>
  );
}

function UploadLine({ upload, onCancel }: { readonly upload: Upload; readonly onCancel: Props['onCancel'] }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { id, name, size, sent, state, sid, problem } = upload;
  return (
    <li className={styles.upload}>
      <Value value={name} inline />
      <span>{formatBytes(size, i18n.language)}</span>
      <progress
        aria-label={t('files.progress', { name })}
        value={state === 'done' ? 1 : sent}
        max={state === 'done' ? 1 : Math.max(1, size)}
      />
      <span role="status">{t(`files.uploadStates.${state}`)}</span>
      {(state === 'waiting' || state === 'sending') && (
        <Button kind="quiet" aria-label={t('files.cancelOf', { name })} onClick={() => onCancel(id)}>
          {t('common.cancel')}
        </Button>
      )}
      {sid !== undefined && (
        <Button kind="quiet" onClick={() => void navigate({ to: '/files/$id', params: { id: sid } })}>
          {t('files.open')}
        </Button>
      )}
      {problem !== undefined && <ProblemPanel problem={problem} />}
    </li>
  );
}
