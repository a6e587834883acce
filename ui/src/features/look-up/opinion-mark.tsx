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

interface Props {
  readonly opinion: Opinion;
  /** The shape alone; the word is for screen readers and the tooltip. */
  readonly compact?: boolean;
}

/** Shows an opinion as a shape in its colour, with its word. */
export function OpinionMark({ opinion, compact = false }: Props) {
  const { t } = useTranslation();
  return <Mark appearance={OPINION_APPEARANCES[opinion]} label={t(`lookUp.opinions.${opinion}`)} compact={compact} />;
}
