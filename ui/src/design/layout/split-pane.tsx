import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './split.module.css';
import { clampShare, keyedShare, readShare, writeShare } from './split-share.ts';

export interface SplitPaneProps {
  /** Under this name the browser remembers the size, for example `alerts.detail`. */
  readonly name: string;
  /** The name of the first pane, which the handle resizes. */
  readonly label: string;
  readonly first: ReactNode;
  /** Undefined gives the first pane all of the room. */
  readonly second: ReactNode | undefined;
  /** Share of the first pane, 0 to 1; default 0.5. */
  readonly initial?: number | undefined;
  readonly direction?: 'row' | 'column' | undefined;
  /** The pane that stands alone below a width of 720 px; default: the second one when it is there. */
  readonly narrow?: 'first' | 'second' | undefined;
}

/** Draws two panes and a handle between them, for the pointer and for arrows, Home and End. */
export function SplitPane(props: SplitPaneProps): ReactElement {
  const { name, label, first, second, initial = 0.5, direction = 'row', narrow = 'second' } = props;
  const { t } = useTranslation();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => readShare(name) ?? clampShare(initial));

  const keep = (next: number) => {
    setShare(next);
    writeShare(name, next);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const bounds = frame.current?.getBoundingClientRect();
    if (bounds === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const along = direction === 'row' ? event.clientX - bounds.left : event.clientY - bounds.top;
    setShare(clampShare(along / (direction === 'row' ? bounds.width : bounds.height)));
  };
  const press = (event: KeyboardEvent) => {
    const next = keyedShare(event.key, share, direction);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    keep(next);
  };

  const isSplit = second !== undefined;
  return (
    <div ref={frame} className={styles.frame} data-direction={direction} data-narrow={isSplit ? narrow : 'first'}>
      <div id={id} className={styles.first} style={isSplit ? { flexBasis: `${share * 100}%` } : undefined}>
        {first}
      </div>
      {isSplit && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: an hr cannot take a value. */}
          <div
            role="separator"
            tabIndex={0}
            aria-label={t('design.paneSize', { name: label })}
            aria-controls={id}
            aria-orientation={direction === 'row' ? 'vertical' : 'horizontal'}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={10}
            aria-valuemax={90}
            className={styles.handle}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onPointerUp={() => keep(share)}
            onDoubleClick={() => keep(clampShare(initial))}
            onKeyDown={press}
          />
          <div className={styles.second}>{second}</div>
        </>
      )}
    </div>
  );
}
