import type { components } from '../../../api/generated/alerts.ts';
import type { Alert } from '../triage/alert.ts';

export type Lead = components['schemas']['Lead'];

/**
 * Returns the leads of the alert itself and of the dossiers that match it, each once.
 * Links of dossiers are left out: the overview fills them with values of the alert.
 */
export function dossierLeads(alert: Alert): readonly Lead[] {
  const ofDossiers = (alert.__dossiers ?? []).flatMap(({ leads }) => leads ?? []);
  const all = [...(alert.howler.dossier ?? []), ...ofDossiers.filter(({ format }) => format !== 'link')];
  return [...new Map(all.map((lead) => [JSON.stringify([lead.format, lead.label, lead.content]), lead])).values()];
}
