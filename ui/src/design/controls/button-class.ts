import styles from './button.module.css';

/** The weights of a button: one `primary` in a view; `quiet` has no edge until it is pointed at. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet';

/** Returns the class that makes a link or another element look like a button. */
export function buttonClass(kind: ButtonKind = 'plain', additional = ''): string {
  // A plain button has no class of its own.
  return [styles.button, styles[kind], additional].filter((name) => name).join(' ');
}
