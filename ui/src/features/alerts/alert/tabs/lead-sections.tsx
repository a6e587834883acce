import { ExternalLink } from '../../../../design/data/records/external-link.tsx';
import { ShowMore } from '../../../../design/data/records/show-more.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { ErrorBoundary } from '../../../../design/states/error-boundary.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import type { Lead } from '../dossier-leads.ts';
import { RecordOverview } from '../record-overview.tsx';
import styles from './tabs.module.css';

/** Leads that are drawn at once: each is a template of its own. */
const STEP = 5;

/** Draws what dossiers say about an alert. */
export function LeadSections({ alert, leads }: { readonly alert: Alert; readonly leads: readonly Lead[] }) {
  const { i18n } = useTranslation();
  return (
    <ShowMore count={leads.length} step={STEP}>
      {(limit) =>
        leads.slice(0, limit).map((lead, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: leads have no other name.
          <section key={index}>
            <h3 className={styles.head}>
              <Value value={i18n.language === 'fr' ? lead.label.fr : lead.label.en} inline />
            </h3>
            <ErrorBoundary resetKey={lead.content}>
              <Content lead={lead} alert={alert} />
            </ErrorBoundary>
          </section>
        ))
      }
    </ShowMore>
  );
}

/** Formats of plugins that are not here are shown as they are written. */
function Content({ lead: { format, content }, alert }: { readonly lead: Lead; readonly alert: Alert }) {
  if (format === 'markdown') return <RecordOverview template={content} alert={alert} />;
  return format === 'link' ? <ExternalLink href={content} /> : <Value value={content} lines limit={2_000} />;
}
