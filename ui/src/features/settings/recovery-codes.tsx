import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import styles from './settings.module.css';

/** Recovery codes, which the server shows this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <Value value={code} />
          </li>
        ))}
      </ul>
      <CopyButton value={codes.join('\n')} plain />
    </>
  );
}
