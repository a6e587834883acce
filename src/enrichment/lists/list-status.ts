import type { ClassificationEngine } from '../../classification/classification.ts';
import type { ServiceMetrics } from '../../http/service-metrics.ts';
import type { ListState } from '../sources/own-source.ts';
import { publicLabel } from '../status/public-label.ts';
import { sum } from './compiled/list-file.ts';
import type { OpenList, OpenLists } from './open-lists.ts';

/** Returns the state of an open list. */
export function statusOfList(opened: OpenList, engine: ClassificationEngine): ListState {
  const { list, compiled, state, freshAt, isExpired } = opened;
  const { problem, failures } = state;
  const { name, format } = list.settings;
  return {
    name,
    format,
    state: compiled === undefined ? 'missing' : isExpired ? 'expired' : 'ready',
    entries: sum(compiled?.summary.tables),
    left_out: sum(compiled?.summary.leftOut),
    unknown_markings: unknownMarkings(compiled?.summary.markings, engine),
    ...(freshAt === undefined ? {} : { updated: new Date(freshAt).toISOString() }),
    failures,
    ...(problem === undefined ? {} : { problem: { at: new Date(problem.at).toISOString(), reason: problem.reason } }),
  };
}

/** Returns true for a marking that the classification of the installation has. */
export function isKnownMarking(engine: ClassificationEngine, marking: string): boolean {
  try {
    engine.normalise(marking);
    return true;
  } catch {
    return false;
  }
}

/** Returns the states of the lists that a user with this clearance may know of. */
export function visibleStatuses(open: OpenLists, engine: ClassificationEngine, clearance: string): ListState[] {
  return open.lists
    .filter(({ classification }) => engine.isAccessible(clearance, classification, true))
    .map((list) => statusOfList(open.of(list), engine));
}

/** Adds the metrics of lists, which are read when they are scraped. */
export function addListMetrics(open: OpenLists, engine: ClassificationEngine, metrics: ServiceMetrics): void {
  const collected = (
    kind: 'counter' | 'gauge',
    name: string,
    help: string,
    read: (opened: OpenList) => number | undefined,
  ) =>
    metrics.collected(kind, `enrichment_list_${name}`, help, ['list'], async () =>
      open.lists.flatMap((list) => {
        const { classification, settings } = list;
        const value = read(open.of(list));
        const label = publicLabel({ name: settings.name, classification }, engine);
        return value === undefined ? [] : [[[label], value] as const];
      }),
    );
  collected('gauge', 'age_seconds', 'Time since a list was known to be up to date.', ({ freshAt }) =>
    freshAt === undefined ? undefined : (Date.now() - freshAt) / 1000,
  );
  collected('gauge', 'entries', 'Entries of a list.', ({ compiled }) => sum(compiled?.summary.tables));
  collected('gauge', 'left_out', 'Entries of a list that are not understood.', ({ compiled }) =>
    sum(compiled?.summary.leftOut),
  );
  collected('counter', 'update_failures_total', 'Updates of a list that failed.', ({ state }) => state.failures);
}

function unknownMarkings(markings: Readonly<Record<string, number>> = {}, engine: ClassificationEngine): number {
  const unknown = Object.entries(markings).filter(([marking]) => !isKnownMarking(engine, marking));
  return sum(Object.fromEntries(unknown));
}
