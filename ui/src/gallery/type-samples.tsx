import type { ReactElement } from 'react';
import styles from './gallery.module.css';
import { Sample } from './gallery.tsx';

const GROUNDS = ['ground', 'panel', 'raised', 'selected'] as const;
const COLOURS = ['accent', 'critical', 'high', 'medium', 'low', 'done'] as const;

/** Draws the sizes of type and every colour on every ground. */
export function TypeSamples(): ReactElement {
  return (
    <>
      <Sample title="Words and values">
        <p>
          Ten alerts wait longer than 4 h 30 min. <code>10.0.0.1 0O 1lI != =&gt; -&gt; sha256:0a1b2c</code>
        </p>
      </Sample>
      <Sample title="Colours">
        <div className={styles.swatches}>
          {GROUNDS.map((ground) => (
            <div key={ground} className={`${styles.swatch} ${styles[ground]}`}>
              <span>{ground}: first</span>
              <span className={styles.second}>second</span>
              <span className={styles.third}>third</span>
              {COLOURS.map((colour) => (
                <span key={colour} className={styles[colour]}>
                  ◆ {colour}
                </span>
              ))}
            </div>
          ))}
        </div>
      </Sample>
    </>
  );
}
