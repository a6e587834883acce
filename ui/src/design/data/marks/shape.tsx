import styles from './marks.module.css';
import type { ColourToken, Shape } from './severity.ts';

/** Drawn instead of written: fonts disagree about these characters, and some show them as emoji. */
const PATHS: Readonly<Record<Shape, React.ReactNode>> = {
  '◆': <path d="M6 0.5 11.5 6 6 11.5 0.5 6Z" fill="currentColor" />,
  '▲': <path d="M6 1 11.5 11H0.5Z" fill="currentColor" />,
  '●': <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  '○': <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  '◐': (
    <>
      <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 2a4 4 0 0 0 0 8Z" fill="currentColor" />
    </>
  ),
  '–': <path d="M2 5.25h8v1.5H2Z" fill="currentColor" />,
  '⏸': <path d="M2.5 1.5H5v9H2.5ZM7 1.5h2.5v9H7Z" fill="currentColor" />,
};

/** Draws one of the shapes that stand beside every colour. */
export function ShapeIcon({ shape, colour }: { readonly shape: Shape; readonly colour: ColourToken }) {
  return (
    <svg className={styles.shape} data-colour={colour} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {PATHS[shape]}
    </svg>
  );
}
