import { Count } from '../../../design/data/values/count.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Pane } from '../../../design/layout/page.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import styles from '../files.module.css';
import type { ResultNode } from './report-items.ts';
import { SectionBody } from './section-body.tsx';

const MAX_TAGS = 200;

/** Shows a section of a result, or the analyzer that wrote it. */
export function ResultDetail({ node: { result, section } }: { readonly node: ResultNode }) {
  const { t } = useTranslation();
  return (
    <Pane title={section === undefined ? result.service : section.title}>
      <dl className={styles.facts}>
        <dt>{t('files.analyzer')}</dt>
        <dd>
          <Value value={`${result.service} ${result.version}`} />
        </dd>
        <dt>{t('files.file')}</dt>
        <dd>
          <Value value={result.sha256} copy />
        </dd>
        <dt>{t('files.score')}</dt>
        <dd>
          <Count value={section === undefined ? result.score : section.score} />
        </dd>
        {section !== undefined && section.heuristic !== '' && (
          <>
            <dt>{t('files.heuristic')}</dt>
            <dd>
              <Value value={section.heuristic} />
            </dd>
          </>
        )}
        {section !== undefined && section.attacks.length > 0 && (
          <>
            <dt>{t('files.attacks')}</dt>
            <dd>
              <Value value={section.attacks.join('\n')} lines />
            </dd>
          </>
        )}
      </dl>
      {section !== undefined && <SectionBody format={section.format} body={section.body} />}
      {section !== undefined && section.tags.length > 0 && (
        <>
          <h3 className={styles.heading}>{t('files.tabs.tags')}</h3>
          <ul className={styles.tags}>
            {section.tags.slice(0, MAX_TAGS).map(({ type, value }) => (
              <li key={`${type} ${value}`}>
                <span className={styles.quiet}>
                  <Value value={type} inline />
                </span>{' '}
                <Value value={value} limit={300} copy />
              </li>
            ))}
          </ul>
          {section.tags.length > MAX_TAGS && <p>{t('files.moreRows', { count: section.tags.length - MAX_TAGS })}</p>}
        </>
      )}
    </Pane>
  );
}
