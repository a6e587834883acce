import { ApiProblem } from '../../api/problem.ts';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './saved.module.css';

/** Says that a change was refused because another came first, and that nothing typed is lost. */
export function ConflictNote({ problem }: { readonly problem: unknown }) {
  const { t } = useTranslation();
  if (!(problem instanceof ApiProblem) || (problem.status !== 409 && problem.status !== 412)) return null;
  return (
    <p className={styles.note} role="status">
      {t('saved.conflict')}
    </p>
  );
}
