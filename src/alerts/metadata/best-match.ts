/** The hits that a template or overview is for. */
export interface MatchCandidate {
  readonly analytic?: string | undefined;
  /** Absent: every detection of the analytic. */
  readonly detection?: string | undefined;
  readonly type?: string | undefined;
}

/** Lower-cased `howler.analytic` and `howler.detection` of a hit. */
export function analyticAndDetection(hit: Readonly<Record<string, unknown>>): {
  readonly analytic: string | undefined;
  readonly detection: string | undefined;
} {
  const howler = hit.howler;
  if (typeof howler !== 'object' || howler === null) return { analytic: undefined, detection: undefined };
  return {
    analytic: lowerCased('analytic' in howler ? howler.analytic : undefined),
    detection: lowerCased('detection' in howler ? howler.detection : undefined),
  };
}

/**
 * Returns the candidate for a hit: same analytic, same or no detection, in any case.
 * Personal precedes readonly, which precedes global; among equals one for the detection precedes one for the whole
 * analytic (contract/alert.md section 6.1a).
 */
export function bestMatch<C>(
  candidates: readonly C[],
  about: (candidate: C) => MatchCandidate,
  hit: Readonly<Record<string, unknown>>,
): C | undefined {
  const { analytic, detection } = analyticAndDetection(hit);
  if (analytic === undefined) return undefined;
  let best: C | undefined;
  let bestRank = -1;
  for (const candidate of candidates) {
    const { analytic: forAnalytic, detection: forDetection, type } = about(candidate);
    if (lowerCased(forAnalytic) !== analytic) continue;
    if (forDetection && lowerCased(forDetection) !== detection) continue;
    const rank = typeRank(type) * 2 + (forDetection ? 1 : 0);
    if (rank > bestRank) {
      best = candidate;
      bestRank = rank;
    }
  }
  return best;
}

function typeRank(type: string | undefined): number {
  if (type === 'personal') return 2;
  return type === 'readonly' ? 1 : 0;
}

function lowerCased(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}
