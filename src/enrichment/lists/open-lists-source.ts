import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../http/request-log.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { readLists } from './configured-lists.ts';
import { addListMetrics, visibleStatuses } from './list-status.ts';
import { ListUpdates } from './list-updates.ts';
import { ListsSource } from './lists-source.ts';
import { OpenLists } from './open-lists.ts';

/**
 * Opens the source `lists`; undefined when no list is configured. Files are opened at their first use.
 * @throws InvalidInput `invalid_setting`
 */
export function openListsSource({
  settings,
  engine,
  log,
}: {
  readonly settings: Config;
  readonly engine: ClassificationEngine;
  readonly log: Pick<Log, 'info' | 'warn'>;
}): OwnSource | undefined {
  const lists = readLists(settings, engine);
  if (lists.length === 0) return undefined;
  const open = new OpenLists(lists, log);
  const updates = new ListUpdates({ open, log });
  return {
    name: 'lists',
    reach: 'local',
    source: new ListsSource(open, engine),
    start: () => updates.start(),
    statusFor: (clearance) => ({ lists: visibleStatuses(open, engine, clearance) }),
    addMetrics: (metrics) => addListMetrics(open, engine, metrics),
    async close() {
      await updates.stop();
      open.close();
    },
  };
}
