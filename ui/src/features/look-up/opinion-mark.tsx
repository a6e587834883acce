import { Mark } from '../../design/data/marks/mark.tsx';
import type { Appearance } from '../../design/data/marks/severity.ts';
import { useTranslation } from '../../i18n/translation.ts';
import type { Opinion } from './findings.ts';

export const OPINION_APPEARANCES: Readonly<Record<Opinion, Appearance>> = {
  malicious: { shape: '◆', colour: 'critical', message: 'malicious' },
  suspicious: { shape: '▲', colour: 'high', message: 'suspicious' },
  obscure: { shape: '◐', colour: 'text-3', message: 'obscure' },
  benign: { shape: '●', colour: 'done', message: 'benign' },
  none: { shape: '○', colour: 'text-3', message: 'none' },
};

/** Shows an opinion as a shape in its colour, with its word. */
export function OpinionMark({ opinion }: { readonly opinion: Opinion }) {
  const { t } = useTranslation();
  return <Mark appearance={OPINION_APPEARANCES[opinion]} label={t(`lookUp.opinions.${opinion}`)} />;
}
