import type { ReactElement } from 'react';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './kbd.module.css';
import { keyParts } from './key-names.ts';

/** Draws keys as they stand on a keyboard, from the names of the key map: `Ctrl+k`, `g h`, `Escape`. */
export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  const { t } = useTranslation();
  return (
    <span className={styles.keys}>
      {keyParts(keys).map(({ name, sign }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may hold a key twice, and never changes order.
        <kbd key={index} className={styles.key}>
          {name === undefined ? sign : t(`design.keyNames.${name}`)}
        </kbd>
      ))}
    </span>
  );
}
