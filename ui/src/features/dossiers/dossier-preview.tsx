import { Overview } from '../../design/data/records/overview.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useLater } from '../../design/forms/use-later.ts';
import { useTranslation } from '../../i18n/translation.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import styles from '../saved/saved.module.css';
import type { Lead } from './lead-fields.tsx';
import { pivotAddress } from './pivot-address.ts';
import type { Pivot } from './pivot-fields.tsx';

interface Props {
  readonly alert: Alert;
  readonly leads: readonly Lead[];
  readonly pivots: readonly Pivot[];
}

/** Draws the leads of a dossier, and the addresses that its pivots have on an alert. */
export function DossierPreview({ alert, leads, pivots }: Props) {
  const { i18n } = useTranslation();
  const language = i18n.language === 'fr' ? 'fr' : 'en';
  const drawn = useLater(leads);
  return (
    <div className={styles.part}>
      {drawn.map((lead, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: leads have no other name.
        <section key={index}>
          <h3 className={styles.heading}>{lead.label[language]}</h3>
          {lead.format === 'markdown' ? (
            <Overview template={lead.content} record={alert} />
          ) : (
            <Value value={lead.content} />
          )}
        </section>
      ))}
      <dl className={styles.facts}>
        {pivots.map((pivot, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pivots have no other name.
          <div key={index} className={styles.fact}>
            <dt>{pivot.label[language]}</dt>
            <dd>
              <Value value={pivotAddress(pivot, alert)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
