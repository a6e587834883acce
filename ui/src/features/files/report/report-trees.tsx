import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Tree } from '../../../design/data/records/tree.tsx';
import { formatBytes } from '../../../design/data/values/numbers.ts';
import { Value } from '../../../design/data/values/value.tsx';
import { SplitPane } from '../../../design/layout/split-pane.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import styles from '../files.module.css';
import { VerdictMark } from '../verdict-mark.tsx';
import { FileDetail } from './file-detail.tsx';
import type { Report } from './report.ts';
import { fileItems, resultItems, type Toggles } from './report-items.ts';
import { ResultDetail } from './result-detail.tsx';

function useToggles() {
  const [toggles, setToggles] = useState<Toggles>(new Map());
  const toggle = (id: string, isOpen: boolean) => setToggles((before) => new Map(before).set(id, isOpen));
  return { toggles, toggle };
}

/** Returns the open item of the address, and a function that opens another one. */
function useOpenItem() {
  const { item } = useSearch({ from: '/files/$id' });
  const navigate = useNavigate({ from: '/files/$id' });
  const open = (id: string) => void navigate({ search: (before) => ({ ...before, item: id }), replace: true });
  return { item, open };
}

/** Shows the results by analyzer with their nested sections, and the chosen one beside them. */
export function ResultTree({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const { toggles, toggle } = useToggles();
  const { item, open } = useOpenItem();
  const items = useMemo(() => resultItems(report.results, toggles), [report, toggles]);
  const names = useMemo(() => new Map(report.files.map(({ sha256, names: all }) => [sha256, all[0]])), [report]);
  const chosen = items.find(({ id }) => id === item) ?? items[0];
  if (chosen === undefined) return <EmptyState title={t('files.noResults')} />;
  return (
    <SplitPane
      name="files.results"
      label={t('files.tabs.results')}
      narrow={item === undefined ? 'first' : 'second'}
      first={
        <Tree
          label={t('files.tabs.results')}
          items={items}
          onToggle={toggle}
          onOpen={open}
          selectedId={chosen.id}
          item={({ result, section }) =>
            section === undefined ? (
              <span className={styles.item}>
                <VerdictMark score={result.score} /> <Value value={result.service} inline />
                <span className={styles.quiet}>
                  <Value value={names.get(result.sha256) ?? result.sha256} inline />
                </span>
              </span>
            ) : (
              <span className={styles.item}>
                {section.score !== 0 && <VerdictMark score={section.score} />} <Value value={section.title} inline />
              </span>
            )
          }
        />
      }
      second={<ResultDetail node={chosen.data} />}
    />
  );
}

/** Shows the submitted files and what was extracted from them, and the chosen one beside them. */
export function FileTree({ report }: { readonly report: Report }) {
  const { t, i18n } = useTranslation();
  const { toggles, toggle } = useToggles();
  const { item, open } = useOpenItem();
  const items = useMemo(() => fileItems(report.files, toggles), [report, toggles]);
  const chosen = items.find(({ id }) => id === item) ?? items[0];
  if (chosen === undefined) return <EmptyState title={t('files.noFiles')} />;
  return (
    <SplitPane
      name="files.tree"
      label={t('files.tabs.files')}
      narrow={item === undefined ? 'first' : 'second'}
      first={
        <Tree
          label={t('files.tabs.files')}
          items={items}
          onToggle={toggle}
          onOpen={open}
          selectedId={chosen.id}
          item={({ names, sha256, type, size, score }) => (
            <span className={styles.item}>
              <VerdictMark score={score} /> <Value value={names[0] ?? sha256} inline />
              <span className={styles.quiet}>
                <Value value={type} inline /> {formatBytes(size, i18n.language)}
              </span>
            </span>
          )}
        />
      }
      second={<FileDetail file={chosen.data} info={report.infos.get(chosen.data.sha256)} sid={report.sid} />}
    />
  );
}
