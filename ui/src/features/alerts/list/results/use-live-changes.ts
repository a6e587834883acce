import { useEffect, useEffectEvent, useState } from 'react';
import { countRecords, searchRecords } from '../../../../api/alert-searches.ts';
import { live } from '../../../../api/live.ts';
import { valueAt } from '../../../../json/members.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import type { AlertRow } from './alert-source.ts';
import type { AlertResults } from './use-alert-results.ts';

export interface LiveChanges {
  /** Alerts that match by now and are not among the rows. */
  readonly waiting: number;
  readonly changed: ReadonlySet<string>;
  /** Alerts that are gone; their rows stay until the next search. */
  readonly deleted: ReadonlySet<string>;
}

const NONE: LiveChanges = { waiting: 0, changed: new Set(), deleted: new Set() };
const POLL_MS = 10_000;
/** Ids of one query; more rows are never in sight at once. */
const MAX_IDS = 200;

/**
 * Follows what happens to the rows of a search while they are read: changed ones are replaced in
 * place, new ones are counted, deleted ones are noted. Nothing moves. New and deleted alerts have no
 * live event, so counts are compared every ten seconds while the window is visible.
 */
export function useLiveChanges(results: AlertResults | undefined): LiveChanges {
  const [changes, setChanges] = useState(NONE);
  const search = results?.search;

  const onFrame = useEffectEvent((row: AlertRow) => {
    const id = row.howler.id;
    let isShown = false;
    results?.update((old) => {
      if (old.howler.id !== id) return old;
      isShown = true;
      return row;
    });
    if (isShown) setChanges((before) => ({ ...before, changed: new Set([...before.changed, id]) }));
  });
  const poll = useEffectEvent(async (signal: AbortSignal) => {
    if (results?.total === undefined || document.visibilityState !== 'visible') return;
    const { request } = results.search;
    const total = await countRecords(request, { signal });
    const gone = total === results.total ? [] : await missingOf(results, signal);
    setChanges((before) => {
      const deleted = new Set([...before.deleted, ...gone]);
      return { ...before, deleted, waiting: Math.max(0, total - (results.total ?? 0) + deleted.size) };
    });
  });

  useEffect(() => {
    if (search === undefined) return;
    setChanges(NONE);
    const stop = live.on('hits', ({ hit }) => {
      if (isAlert(hit)) onFrame(hit);
    });
    const ending = new AbortController();
    // A failed poll is followed by the next one.
    const timer = setInterval(() => void poll(ending.signal).catch(() => {}), POLL_MS);
    return () => {
      stop();
      clearInterval(timer);
      ending.abort();
    };
  }, [search]);
  return changes;
}

function isAlert(value: unknown): value is AlertRow {
  return typeof valueAt(value, 'howler.id') === 'string';
}

/** Returns the ids in memory, at most 200, that no longer exist. */
async function missingOf(results: AlertResults, signal: AbortSignal): Promise<string[]> {
  const ids = [...results.rows()].slice(0, MAX_IDS).map(([, row]) => row.howler.id);
  if (ids.length === 0) return [];
  const search = { query: queryOfIds(ids), rows: ids.length, fl: 'howler.id' };
  const { items } = await searchRecords(search, { signal });
  const found = new Set(items.map((item) => valueAt(item, 'howler.id')));
  return ids.filter((id) => !found.has(id));
}
