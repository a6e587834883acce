import type { Alert } from '../../triage/alert.ts';
import { linkAddress, linkValues } from './link-address.ts';

/** A link that a dossier gives for an alert. */
export interface DossierLink {
  readonly label: { readonly en: string; readonly fr: string };
  readonly href: string;
}

const MAX_LINKS = 50;

/** Returns the links of the pivots and leads of dossiers, filled with the values of the alert. */
export function dossierLinks(alert: Alert): readonly DossierLink[] {
  const values = linkValues(alert);
  const found = new Map<string, DossierLink>();
  for (const { pivots, leads } of alert.__dossiers ?? []) {
    const links = [
      ...(pivots ?? []).map(({ format, label, value, mappings }) => ({ format, label, text: value, mappings })),
      ...(leads ?? []).map(({ format, label, content }) => ({ format, label, text: content, mappings: [] })),
    ];
    for (const { format, label, text, mappings } of links) {
      if (format !== 'link') continue;
      const address = linkAddress({ text, mappings }, values);
      if (address.kind === 'link') found.set(address.href, { label, href: address.href });
    }
  }
  return [...found.values()].slice(0, MAX_LINKS);
}
