import type { Appearance } from '../../design/data/marks/severity.ts';

export const VERDICTS = ['malicious', 'highlySuspicious', 'suspicious', 'informative', 'safe'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Scores from which a verdict counts, as the installation has set them. */
export interface Thresholds {
  readonly malicious: number;
  readonly highlySuspicious: number;
  readonly suspicious: number;
  readonly informative: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  malicious: 1000,
  highlySuspicious: 700,
  suspicious: 300,
  informative: 0,
};

export const VERDICT_APPEARANCES: Readonly<Record<Verdict, Appearance>> = {
  malicious: { shape: '◆', colour: 'critical', message: 'malicious' },
  highlySuspicious: { shape: '▲', colour: 'high', message: 'highlySuspicious' },
  suspicious: { shape: '●', colour: 'medium', message: 'suspicious' },
  informative: { shape: '–', colour: 'text-3', message: 'informative' },
  safe: { shape: '○', colour: 'done', message: 'safe' },
};

export function verdictOf(score: number, thresholds: Thresholds): Verdict {
  if (score >= thresholds.malicious) return 'malicious';
  if (score >= thresholds.highlySuspicious) return 'highlySuspicious';
  if (score >= thresholds.suspicious) return 'suspicious';
  return score >= thresholds.informative ? 'informative' : 'safe';
}
