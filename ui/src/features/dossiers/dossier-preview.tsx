import type { ReactNode } from 'react';
import { Overview } from '../../design/data/records/overview.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useLater } from '../../design/forms/use-later.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { type LinkTemplate, linkAddress, linkValues } from '../alerts/alert/related/link-address.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import styles from '../saved/saved.module.css';
import type { Lead } from './lead-fields.tsx';
import type { Pivot } from './pivot-fields.tsx';

interface Props {
  readonly alert: Alert;
  readonly leads: readonly Lead[];
  readonly pivots: readonly Pivot[];
}

/** Draws the leads of a dossier, and the addresses that its pivots have on an alert. */
export function DossierPreview({ alert, leads, pivots }: Props) {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'fr' ? 'fr' : 'en';
  const drawn = useLater(leads);
  const values = linkValues(alert);
  const address = (template: LinkTemplate) => {
    const filled = linkAddress(template, values);
    if (filled.kind === 'link') return <Value value={filled.href} />;
    const name = filled.kind === 'no_value' ? filled.name : '';
    return <span className={styles.quiet}>{t(`dossiers.noLink.${filled.kind}`, { name })}</span>;
  };
  const content = ({ format, content: text }: Lead): ReactNode => {
    if (format === 'markdown') return <Overview template={text} record={alert} />;
    return format === 'link' ? address({ text }) : <Value value={text} />;
  };
  return (
    <div className={styles.part}>
      {drawn.map((lead, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: leads have no other name.
        <section key={index}>
          <h3 className={styles.heading}>{lead.label[language]}</h3>
          {content(lead)}
        </section>
      ))}
      <dl className={styles.facts}>
        {pivots.map(({ label, format, value, mappings }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pivots have no other name.
          <div key={index} className={styles.fact}>
            <dt>{label[language]}</dt>
            <dd>{format === 'link' ? address({ text: value, mappings }) : <Value value={value} />}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
