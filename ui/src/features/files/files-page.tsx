import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import type { ApiProblem } from '../../api/problem.ts';
import { Button } from '../../design/controls/button.tsx';
import { Page } from '../../design/layout/page.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands, useKeys } from '../../keys/commands.tsx';
import styles from './files.module.css';
import { SubmissionQuery } from './submission-query.tsx';
import { SubmissionTable } from './submission-table.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

/** Files are dropped or chosen here, and earlier submissions are found. */
export function FilesPage() {
  const { t } = useTranslation();
  const { q } = useSearch({ from: '/files' });
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const createKeys = useKeys('create');
  const { uploads, add, cancel } = useUploads((id) => void navigate({ to: '/files/$id', params: { id } }));
  const choose = () => input.current?.click();
  useCommands([{ id: 'create', name: t('files.choose'), run: choose }]);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const onDrop = (event: DragEvent) => {
    onDrag(event);
    add([...event.dataTransfer.files]);
  };
  return (
    <Page
      title={t('files.title')}
      fit="fill"
      actions={
        <Button kind="primary" icon={UploadIcon} keys={createKeys} onClick={choose}>
          {t('files.choose')}
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button above does the same by keyboard. */}
      <div
        className={styles.page}
        data-over={isOver || undefined}
        onDragOver={onDrag}
        onDragLeave={onDrag}
        onDrop={onDrop}
      >
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('files.choose')}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <p className={styles.drop}>{t('files.drop')}</p>
        <UploadList uploads={uploads} onCancel={cancel} />
        <SubmissionQuery problem={problem} />
        <SubmissionTable query={q} onRefused={setProblem} />
      </div>
    </Page>
  );
}
