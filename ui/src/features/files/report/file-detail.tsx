import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { formatBytes } from '../../../design/data/values/numbers.ts';
import { Value } from '../../../design/data/values/value.tsx';
import { Pane } from '../../../design/layout/page.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuItem } from '../../../design/overlays/menu-item.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { stringMember } from '../../../json/members.ts';
import styles from '../files.module.css';
import { VerdictMark } from '../verdict-mark.tsx';
import type { ReportFile } from './report.ts';
import { type Encoding, saveAnalyzedFile } from './save-analyzed-file.ts';

interface Props {
  readonly file: ReportFile;
  /** Document of the file. */
  readonly info: unknown;
  readonly sid: string;
}

const HASHES = ['sha256', 'sha1', 'md5', 'ssdeep', 'tlsh'];

/** Shows a file, and saves it: packed so that it does no harm, or as it is after a question. */
export function FileDetail({ file, info, sid }: Props) {
  const { t, i18n } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<unknown>(undefined);
  const { sha256, names, type, size, score } = file;
  const save = (encoding: Encoding) => saveAnalyzedFile(sha256, encoding, sid);
  const savePacked = (encoding: Encoding) => {
    setProblem(undefined);
    void save(encoding).catch(setProblem);
  };
  const trigger = <Button icon={Download}>{t('files.download')}</Button>;
  return (
    <Pane
      title={t('files.file')}
      actions={
        <Menu align="end" trigger={trigger}>
          <MenuItem onSelect={() => savePacked('cart')} detail={t('files.cartDetail')}>
            {t('files.cart')}
          </MenuItem>
          <MenuItem onSelect={() => savePacked('zip')} detail={t('files.zipDetail')}>
            {t('files.zip')}
          </MenuItem>
          <MenuItem danger onSelect={() => setAsking(true)}>
            {t('files.raw')}
          </MenuItem>
        </Menu>
      }
    >
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      <dl className={styles.facts}>
        <dt>{t('files.names')}</dt>
        <dd>
          <Value value={names.join('\n')} lines />
        </dd>
        <dt>{t('files.verdict')}</dt>
        <dd>
          <VerdictMark score={score} />
        </dd>
        <dt>{t('files.type')}</dt>
        <dd>
          <Value value={type} />
        </dd>
        <dt>{t('files.size')}</dt>
        <dd>{formatBytes(size, i18n.language)}</dd>
        {['mime', 'magic'].map((name) => (
          <Fact key={name} name={name} value={stringMember(info, name)} />
        ))}
        {HASHES.map((name) => (
          <Fact key={name} name={name} value={name === 'sha256' ? sha256 : stringMember(info, name)} />
        ))}
      </dl>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('files.rawTitle')}
        confirmLabel={t('files.raw')}
        onConfirm={() => save('raw')}
        danger
      >
        {t('files.rawText')}
      </ConfirmDialog>
    </Pane>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Value value={value} copy limit={200} />
      </dd>
    </>
  );
}
