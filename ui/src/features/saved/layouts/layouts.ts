import { queryOfAnalytic, queryOfValues } from '../../query/model/record-queries.ts';

/** The common members of templates and overviews, which are for an analytic or one of its detections. */
export interface Layout {
  readonly analytic: string;
  readonly detection?: string | undefined;
  readonly type?: string | undefined;
  readonly owner?: string | undefined;
}

/** Returns the name of an object that is for an analytic, or one of its detections. */
export function nameOfLayout({ analytic, detection }: Pick<Layout, 'analytic' | 'detection'>): string {
  return detection === undefined || detection === '' ? analytic : `${analytic} · ${detection}`;
}

/**
 * Returns the query of the alerts that use a layout.
 * They are those of its detection, or those of its analytic whose detection has no layout for the same people; the service
 * chooses in the same way.
 */
export function queryOfLayout(layout: Layout, all: readonly Layout[]): string {
  const query = queryOfAnalytic(layout.analytic, layout.detection);
  if (layout.detection) return query;
  const covered = all.flatMap((one) => (one.detection && hasReachOf(one, layout) ? [one.detection] : []));
  return covered.length === 0 ? query : `${query} AND NOT ${queryOfValues('howler.detection', covered)}`;
}

/** Analytics are compared without regard to case, as the service does. */
function hasReachOf(one: Layout, other: Layout): boolean {
  if (one.analytic.toLowerCase() !== other.analytic.toLowerCase() || one.type !== other.type) return false;
  return one.type !== 'personal' || one.owner === other.owner;
}
