import { VisuallyHidden } from '../../controls/visually-hidden.tsx';
import { Value } from '../values/value.tsx';
import styles from './marks.module.css';
import type { Appearance } from './severity.ts';
import { ShapeIcon } from './shape.tsx';

export interface MarkProps {
  readonly appearance: Appearance | undefined;
  /** The words beside the shape; for an unknown value the value itself. */
  readonly label: string;
  /** True where the column says what it is: the words are for screen readers and the tooltip. */
  readonly compact?: boolean;
}

/** Shows a shape in its colour, with its words. A value of a later version has its name alone. */
export function Mark({ appearance, label, compact = false }: MarkProps) {
  if (appearance === undefined) return <Value value={label} limit={60} inline />;
  return (
    <span className={styles.mark} title={compact ? label : undefined}>
      <ShapeIcon shape={appearance.shape} colour={appearance.colour} />
      {compact ? <VisuallyHidden>{label}</VisuallyHidden> : <span className={styles.label}>{label}</span>}
    </span>
  );
}
