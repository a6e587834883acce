import { ExternalLink } from '../../../../design/data/records/external-link.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { FieldList } from '../fields/field-list.tsx';
import { overviewFields, templateFields } from '../fields/record-fields.ts';
import { RecordOverview } from '../record-overview.tsx';
import { dossierLinks } from '../related/dossier-links.ts';
import styles from './tabs.module.css';

/** Draws the overview of the analytic, the fields of the template, and what the alert is about. */
export function OverviewTab({ alert }: { readonly alert: Alert }) {
  const { t, i18n } = useTranslation();
  const fromDossiers = dossierLinks(alert);
  const template = templateFields(alert);
  const { id, links } = alert.howler;
  return (
    <div className={styles.tab}>
      {alert.__overview?.content && <RecordOverview key={id} template={alert.__overview.content} alert={alert} />}
      {template.length > 0 && (
        <section>
          <h3 className={styles.head}>{t('alert.overview.template')}</h3>
          <FieldList record={id} fields={template} />
        </section>
      )}
      <section>
        <h3 className={styles.head}>{t('alert.overview.facts')}</h3>
        <FieldList record={id} fields={overviewFields(alert)} />
      </section>
      {links.length > 0 && (
        <section>
          <h3 className={styles.head}>{t('alert.overview.links')}</h3>
          <ul className={styles.plain}>
            {links.map(({ href, title }) => (
              <li key={`${href} ${title}`}>
                <ExternalLink href={href}>{title ?? href}</ExternalLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {fromDossiers.length > 0 && (
        <section>
          <h3 className={styles.head}>{t('alert.overview.dossiers')}</h3>
          <ul className={styles.plain}>
            {fromDossiers.map(({ label, href }) => (
              <li key={href}>
                <ExternalLink href={href}>{i18n.language === 'fr' ? label.fr : label.en}</ExternalLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
