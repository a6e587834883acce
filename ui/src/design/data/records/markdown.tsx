import { type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { lateComponent } from '../../late/late-component.tsx';
import { linkTarget } from '../../markup/link-target.ts';
import { markdownParts } from '../../markup/markdown-parts.ts';
import type { Piece, Widget } from '../../markup/template/pieces.ts';
import { Loading } from '../../states/loading.tsx';
import { formatNumber } from '../values/numbers.ts';
import { useLinks } from './external-link.tsx';
import styles from './markdown.module.css';

// markdown-it and DOMPurify weigh 49 kB (brotli), more than most pages that show a comment.
const MarkdownPart = lateComponent(async () => (await import('./markdown-part.tsx')).MarkdownPart);

export interface MarkdownProps {
  readonly text: string;
  /** Values and widgets of a template; see `Overview`. */
  readonly pieces?: readonly Piece[];
  readonly renderWidget?: (widget: Widget) => ReactNode;
}

/** Shows markdown that anyone wrote; long ones in parts. */
export function Markdown({ text, pieces, renderWidget }: MarkdownProps) {
  const { t, i18n } = useTranslation();
  const [shown, setShown] = useState({ text, parts: 1 });
  const { follow, question } = useLinks();
  const parts = markdownParts(text);
  const count = shown.text === text ? shown.parts : 1;
  const rest = parts.slice(count).reduce((sum, part) => sum + part.length, 0);
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    const target = anchor === null ? undefined : linkTarget(anchor.getAttribute('href') ?? '', window.location.origin);
    if (anchor === null || event.defaultPrevented) return;
    event.preventDefault();
    if (target !== undefined) follow(target);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed, also by keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    <div className={styles.markdown} onClick={onClick}>
      <Suspense fallback={<Loading />}>
        {parts.slice(0, count).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name.
          <MarkdownPart key={index} text={part} pieces={pieces} renderWidget={renderWidget} />
        ))}
      </Suspense>
      {rest > 0 && (
        <button type="button" className={styles.more} onClick={() => setShown({ text, parts: count + 4 })}>
          {t('data.markdown.more', { number: formatNumber(rest, i18n.language) })}
        </button>
      )}
      {question}
    </div>
  );
}
