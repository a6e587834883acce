import { Value } from '../../../../design/data/values/value.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { FieldList } from '../field-list.tsx';
import { OverviewMarkup } from '../overview-markup.tsx';
import { overviewFields, templateFields } from '../record-fields.ts';
import styles from './tabs.module.css';

/** Draws the overview of the analytic, the fields of the template, and what the alert is about. */
export function OverviewTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const template = templateFields(alert);
  const { links } = alert.howler;
  return (
    <div className={styles.tab}>
      {alert.__overview?.content && <OverviewMarkup content={alert.__overview.content} alert={alert} />}
      {template.length > 0 && (
        <section>
          <h3 className={styles.head}>{t('alert.overview.template')}</h3>
          <FieldList fields={template} />
        </section>
      )}
      <section>
        <h3 className={styles.head}>{t('alert.overview.facts')}</h3>
        <FieldList fields={overviewFields(alert)} />
      </section>
      {links.length > 0 && (
        <section>
          <h3 className={styles.head}>{t('alert.overview.links')}</h3>
          <ul className={styles.plain}>
            {links.map(({ href, title }) => (
              <li key={`${href} ${title}`}>
                <Value value={title ?? ''} inline /> <Value value={href} copy />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
