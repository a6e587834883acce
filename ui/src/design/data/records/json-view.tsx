import { useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { type JsonLine, jsonLines } from '../structure/json-lines.ts';
import { CopyButton } from '../values/copy-button.tsx';
import { formatNumber } from '../values/numbers.ts';
import { Value } from '../values/value.tsx';
import styles from './records.module.css';
import { Tree } from './tree.tsx';

export interface JsonViewProps {
  readonly value: unknown;
  /** Levels that are open at first; default 2. */
  readonly openLevels?: number;
  readonly label?: string;
}

/** Shows a nested value as a tree whose branches open and close; only lines in sight are in the page. */
export function JsonView({ value, openLevels = 2, label }: JsonViewProps) {
  const { t } = useTranslation();
  // Branches whose state the reader changed.
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const lines = jsonLines(value, (path, depth) => changed.get(path) ?? depth < openLevels);
  return (
    <Tree
      label={label ?? t('data.json.label')}
      items={lines.map((line) => ({
        id: line.path,
        depth: line.depth,
        isOpen: line.kind === 'value' || line.kind === 'cut' || line.count === 0 ? undefined : line.isOpen,
        data: line,
      }))}
      onToggle={(path, isOpen) => setChanged((before) => new Map(before).set(path, isOpen))}
      item={(line) => <Line line={line} />}
    />
  );
}

function Line({ line }: { readonly line: JsonLine }) {
  const { t, i18n } = useTranslation();
  const count = formatNumber(line.count, i18n.language);
  if (line.kind === 'cut') return <span className={styles.quiet}>{t('data.json.more', { number: count })}</span>;
  const isText = typeof line.value === 'string';
  return (
    <span className={styles.json}>
      {line.name !== undefined && (
        <span className={styles.key}>
          <Value value={line.name} inline limit={120} />:
        </span>
      )}
      {line.kind === 'value' ? (
        <>
          <span className={isText ? undefined : styles.literal}>
            <Value value={isText ? line.value : String(line.value)} inline limit={2_000} />
          </span>
          {isText && line.value !== '' && <CopyButton value={String(line.value)} />}
        </>
      ) : (
        <span className={styles.quiet}>{line.kind === 'list' ? `[${count}]` : `{${count}}`}</span>
      )}
    </span>
  );
}
