import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { collapseWords } from '../query/words/collapse-words.ts';
import styles from './saved.module.css';

interface Props {
  readonly owner: string;
  readonly query: string | undefined;
  /** Says why there is no form. */
  readonly reason: string;
}

/** Draws an object that this person may not change. */
export function OwnedFacts({ owner, query, reason }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.quiet}>{reason}</p>
      <dl className={styles.facts}>
        <dt>{t('saved.owner')}</dt>
        <dd>
          <UserName user={owner} />
        </dd>
        <dt>{t('saved.query')}</dt>
        <dd>
          <Value value={query && collapseWords(query)} copy />
        </dd>
      </dl>
    </>
  );
}
