import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { countRecords } from '../../../../api/alert-searches.ts';
import { live } from '../../../../api/live.ts';
import { valueAt } from '../../../../json/members.ts';
import type { QueryRequest } from '../../../query/model/query-request.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import type { Alert } from '../../triage/alert.ts';
import { alertCopies } from '../../triage/requests/alert-copies.ts';
import { type AlertRow, type AlertSearch, createdSince, fieldsOfRows, readRows, requestAgo } from './alert-source.ts';
import { type FollowedRows, type LiveChanges, NO_CHANGES, RowChanges } from './row-changes.ts';
import type { AlertResults } from './use-alert-results.ts';

const POLL_MS = 10_000;

/**
 * Follows what happens to the rows of a search while they are read: changed ones are replaced in
 * place, new ones are counted, deleted ones are noted. New and deleted alerts and changes of many at
 * once have no live event, so the rows in sight are read again every ten seconds while the window is
 * visible.
 */
export function useLiveChanges(results: AlertResults | undefined): LiveChanges {
  const queries = useQueryClient();
  const [changes, setChanges] = useState(NO_CHANGES);
  const presentResults = useEffectEvent(() => results);
  const search = results?.search;
  useEffect(() => {
    if (search === undefined) return;
    setChanges(NO_CHANGES);
    const ending = new AbortController();
    const { signal } = ending;
    const results = () => {
      const present = presentResults();
      return present?.search === search ? present : undefined;
    };
    const rows = new RowChanges<AlertRow>(followed(search, results), setChanges);
    const copies = alertCopies(queries);
    const stops = [
      // The one place that knows versions decides whether a frame is newer than what is shown.
      live.on('hits', ({ hit, version }) => {
        if (isAlert(hit)) copies.replace({ alert: hit, version: typeof version === 'string' ? version : undefined });
      }),
      copies.subscribe((news) => {
        if (!('isExpired' in news)) rows.note(news.id);
      }),
      // Frames of the time without a connection are lost.
      live.on('reconnected', () => void rows.refresh(signal).catch(ignore)),
    ];
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void rows.poll(signal).catch(ignore);
    }, POLL_MS);
    return () => {
      for (const stop of stops) stop();
      clearInterval(timer);
      ending.abort();
    };
  }, [search, queries]);
  return changes;
}

/** A failed poll is followed by the next one. */
function ignore(): void {}

function isAlert(value: unknown): value is Alert {
  return typeof valueAt(value, 'howler.id') === 'string';
}

function followed(search: AlertSearch, results: () => AlertResults | undefined): FollowedRows<AlertRow> {
  const ago = () => Math.max(1, Math.floor((performance.now() - (results()?.openedAt ?? 0)) / 1000));
  const count = async ({ query, filters }: QueryRequest, further: string | undefined, signal: AbortSignal) => {
    const all = further === undefined ? filters : [...filters, further];
    const indexes = search.indexes.split(',');
    const counts = await Promise.all(
      indexes.map((index) => countRecords({ query, filters: all }, { indexes: index, signal })),
    );
    return counts.reduce((sum, one) => sum + one, 0);
  };
  return {
    found: () => results()?.found,
    visible: () => results()?.visible() ?? [],
    inMemory: () => [...(results()?.rows() ?? [])].map(([, row]) => row),
    update: (change) => results()?.update(change),
    fields: fieldsOfRows(search),
    readRows: (ids, signal) => readRows(search, ids, signal),
    countCreated: (signal) => count(search.request, createdSince(ago()), signal),
    countOthers: (ids, signal) => count(requestAgo(search, ago()), ids && queryOfIds(ids), signal),
  };
}
