import { type ClipboardEvent, Fragment, type MouseEvent, useState } from 'react';
import { useDisplaySettings } from '../display-settings.ts';
import { type Segment, signOf, visibleText } from '../text/visible-text.ts';
import { useWords } from '../words.ts';
import { copiedForm } from './copy.ts';
import { CopyButton } from './copy-button.tsx';
import { formatNumber } from './numbers.ts';
import styles from './values.module.css';

export interface ValueProps {
  readonly value: string | number | boolean | null | undefined;
  /** Characters shown before "show all"; default 500. */
  readonly limit?: number;
  /** True for a value of several lines: line ends are drawn. */
  readonly lines?: boolean;
  /** True in rows of lists: one line, cut by the width, nothing to press. */
  readonly inline?: boolean;
  /** True for the name of a field: its lines end at dots and underscores, not within a word. */
  readonly isName?: boolean;
  /** Shows a button that copies, in the form of the reader's choice. */
  readonly copy?: boolean;
  /** Opens the menu of what can be done with the value (filter, look up ...). */
  readonly onMenu?: (event: MouseEvent<HTMLElement>, value: string) => void;
}

/**
 * Shows a value that came from data: in the font of data, invisible and misleading characters as
 * marks, never as markup and never as a link.
 */
export function Value(props: ValueProps) {
  return props.inline && !props.copy ? <InlineValue {...props} /> : <WholeValue {...props} />;
}

/** Stateless and without listeners: rows of lists draw ten of them each. */
function InlineValue({ value, limit = 200, onMenu }: ValueProps) {
  const text = textOf(value);
  if (text === '') return <Empty />;
  const { segments, hidden } = visibleText(text, { limit });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys reach the same menu by the row.
    <bdi className={styles.inline} dir="ltr" translate="no" onContextMenu={onMenu && ((event) => onMenu(event, text))}>
      <Segments segments={segments} />
      {hidden > 0 && '…'}
    </bdi>
  );
}

function WholeValue({ value, limit, lines = false, inline = false, isName = false, copy = false, onMenu }: ValueProps) {
  const { t, language } = useWords();
  const { copyAs } = useDisplaySettings();
  const [wholeText, setWholeText] = useState<string | undefined>(undefined);
  const text = textOf(value);
  if (text === '') return <Empty />;
  // Another value in the same place is cut again.
  const { segments, hidden } = visibleText(text, { lines, limit: wholeText === text ? text.length : (limit ?? 500) });
  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    // A selection of a part, or of more, is copied as the browser does it.
    const selected = document.getSelection()?.toString().trim();
    if (hidden > 0 || selected !== event.currentTarget.textContent.trim()) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', copiedForm(text, copyAs));
  };
  return (
    <span className={inline ? styles.line : styles.whole}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys reach the same menu by the row or the button beside it. */}
      <bdi
        className={lines ? styles.lines : styles.value}
        dir="ltr"
        translate="no"
        onCopy={onCopy}
        onContextMenu={onMenu && ((event) => onMenu(event, text))}
      >
        <Segments segments={segments} isName={isName} />
      </bdi>
      {hidden > 0 && inline && '…'}
      {hidden > 0 && !inline && (
        <button type="button" className={styles.showAll} onClick={() => setWholeText(text)}>
          {t('common.showAll')} · {t('data.value.cut', { number: formatNumber(hidden, language) })}
        </button>
      )}
      {copy && <CopyButton value={text} />}
    </span>
  );
}

function textOf(value: ValueProps['value']): string {
  return value === null || value === undefined ? '' : String(value);
}

function Empty() {
  const { t } = useWords();
  return (
    <span className={styles.empty} role="img" aria-label={t('data.value.empty')}>
      –
    </span>
  );
}

interface SegmentsProps {
  readonly segments: readonly Segment[];
  readonly isName?: boolean;
}

function Segments({ segments, isName = false }: SegmentsProps) {
  const [only] = segments;
  if (segments.length === 1 && only?.kind === 'text' && !isName) return only.text;
  return segments.map((segment, index) =>
    segment.kind === 'text' ? (
      isName ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of one value have no other name.
        <WordsOfName key={index} text={segment.text} />
      ) : (
        segment.text
      )
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the segments of one value have no other name.
      <HiddenMark key={index} segment={segment} />
    ),
  );
}

/** A long name without a separator still breaks anywhere. */
function WordsOfName({ text }: { readonly text: string }) {
  return text.split(/(?<=[._])/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a name may hold a word twice.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}

function HiddenMark({ segment }: { readonly segment: Exclude<Segment, { kind: 'text' }> }) {
  const { t } = useWords();
  const one = t(`data.hidden.${segment.kind}`, { code: segment.code, character: segment.text });
  const label = segment.count === 1 ? one : t('data.hidden.many', { label: one, count: segment.count });
  return (
    // The character itself is not in the page: it could change how its neighbours are read.
    <span
      className={styles.mark}
      role="img"
      aria-label={label}
      title={label}
      data-mark={signOf(segment)}
      data-kind={segment.kind}
    />
  );
}
