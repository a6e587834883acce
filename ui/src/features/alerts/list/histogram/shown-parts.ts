import type { TimeSeries } from '../../../../design/data/charts/time-histogram.tsx';
import type { Translate } from '../../../../i18n/translation.ts';
import { type HistogramData, type Part, REST, SPLITS, type Split } from './histogram-data.ts';

export type ShownPart = Part & { readonly label: string };

/** Returns the parts of a chart with their names; what no part counts is left out where there is none. */
export function shownParts(split: Split, { buckets }: HistogramData, t: Translate): readonly ShownPart[] {
  return SPLITS[split]
    .filter(({ id }) => id !== REST || buckets.some(({ counts }) => (counts[id] ?? 0) > 0))
    .map((part: Part) => ({ ...part, label: labelOf(part, t) }));
}

/** Returns parts as the series of a chart. */
export function seriesOf(parts: readonly ShownPart[]): readonly TimeSeries[] {
  return parts.map(({ id, appearance, label }) => ({ id, label, colour: appearance?.colour ?? 'text-3' }));
}

function labelOf({ appearance }: Part, t: Translate): string {
  return appearance === undefined ? t('alerts.otherParts') : t(`data.${appearance.message}` as Parameters<typeof t>[0]);
}
