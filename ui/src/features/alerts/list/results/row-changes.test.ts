import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SearchedAlert, SearchedAlerts } from '../../../../../../src/testing/alerts/searched-alerts.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type LiveChanges, NO_CHANGES, RowChanges } from './row-changes.ts';

const { signal } = new AbortController();
const OPENED = Date.parse('2026-03-01T00:00:00.000Z');
const QUERY = 'howler.status:open';

function alertOf(id: string, secondsAfter: number, status = 'open'): SearchedAlert {
  return { howler: { id, status }, event: { created: new Date(OPENED + secondsAfter * 1_000).toISOString() } };
}

/** A list of the open alerts of a service, ten of which it has in sight, a minute after it was opened. */
function listOf(count: number, range = '*') {
  const service = new SearchedAlerts(Array.from({ length: count }, (_, index) => alertOf(`a${index}`, -index - 60)));
  service.now = new Date(OPENED + 60_000);
  const since = 'event.created:{now-60s TO now]';
  let rows = service.search([QUERY]);
  const requests: string[] = [];
  let held = Promise.resolve();
  let changes: LiveChanges = NO_CHANGES;
  const live = new RowChanges<SearchedAlert>(
    {
      found: () => count,
      visible: () => rows.slice(0, 10),
      inMemory: () => rows,
      update: (change) => {
        rows = rows.map(change);
      },
      fields: ['howler.status', 'event.severity'],
      readRows: async (ids) => {
        requests.push('rows');
        const read = ids.flatMap((id) => service.alerts.get(id) ?? []);
        await held;
        return read;
      },
      countCreated: async () => {
        requests.push('created');
        return service.count([QUERY, since, `event.created:[${range} TO *]`]);
      },
      countOthers: async (ids) => {
        requests.push('others');
        const frozen = range === '*' ? [] : [`event.created:[now-60s-1d TO *]`];
        return service.count([QUERY, `NOT ${since}`, ...frozen, ...(ids === undefined ? [] : [queryOfIds(ids)])]);
      },
    },
    (next) => {
      changes = next;
    },
  );
  return {
    service,
    requests,
    poll: () => live.poll(signal),
    live,
    changes: () => changes,
    statusOf: (id: string) => rows.find(({ howler }) => howler.id === id)?.howler.status,
    hold: (until: Promise<void>) => {
      held = until;
    },
    show: (alert: SearchedAlert) => {
      rows = rows.map((row) => (row.howler.id === alert.howler.id ? alert : row));
    },
  };
}

describe('alerts that arrive while a list is read', () => {
  it('are counted, also those whose date is long ago', async () => {
    const list = listOf(50);
    await list.poll();
    assert.equal(list.changes().waiting, 0);
    list.service.put(alertOf('new', 30));
    list.service.put(alertOf('late', -86_400));
    await list.poll();
    assert.equal(list.changes().waiting, 2);
  });

  it('are counted during triage: as many arrive as leave the search', async () => {
    const list = listOf(50);
    for (const id of ['a0', 'a1', 'a2']) {
      const resolved = alertOf(id, -60, 'resolved');
      list.service.put(resolved);
      list.show(resolved);
      list.live.note(id);
    }
    for (const id of ['n0', 'n1', 'n2']) list.service.put(alertOf(id, 30));
    list.service.put(alertOf('late', -86_400));
    await list.poll();
    assert.equal(list.changes().waiting, 4);
  });

  it('are no more than there are, when colleagues resolve alerts that are not in sight', async () => {
    const list = listOf(50);
    for (let index = 20; index < 40; index += 1) list.service.put(alertOf(`a${index}`, -60 - index, 'resolved'));
    list.service.put(alertOf('new', 30));
    await list.poll();
    assert.equal(list.changes().waiting, 1);
  });

  it('are counted beside one that was deleted, which is marked', async () => {
    const list = listOf(50);
    list.service.alerts.delete('a3');
    list.service.put(alertOf('new', 30));
    await list.poll();
    assert.equal(list.changes().waiting, 1);
    assert.deepEqual([...list.changes().deleted], ['a3']);
    await list.poll();
    assert.equal(list.changes().waiting, 1);
  });
});

describe('rows that change', () => {
  it('are read again in their place and marked, also without a live event', async () => {
    const list = listOf(50);
    list.service.put(alertOf('a4', -64, 'in-progress'));
    list.service.put(alertOf('a30', -90, 'in-progress'));
    await list.poll();
    assert.equal(list.statusOf('a4'), 'in-progress');
    assert.equal(list.statusOf('a30'), 'open', 'it is not in sight');
    assert.deepEqual([...list.changes().changed], ['a4']);
  });

  it('are all read again after the connection was cut', async () => {
    const list = listOf(50);
    list.service.put(alertOf('a30', -90, 'in-progress'));
    list.service.alerts.delete('a31');
    await list.live.refresh(signal);
    assert.equal(list.statusOf('a30'), 'in-progress');
    assert.deepEqual([...list.changes().deleted], ['a31']);
  });

  it('keep what is newer: an answer that was asked for before an event changes nothing', async () => {
    const list = listOf(50);
    const { promise, resolve } = Promise.withResolvers<void>();
    list.hold(promise);
    list.service.put(alertOf('a1', -61, 'in-progress'));
    const polling = list.poll();
    const newest = alertOf('a1', -61, 'on-hold');
    list.service.put(newest);
    list.show(newest);
    list.live.note('a1');
    resolve();
    await polling;
    assert.equal(list.statusOf('a1'), 'on-hold');
  });

  it('of another list say nothing', async () => {
    const list = listOf(5);
    list.live.note('elsewhere');
    assert.equal(list.changes().changed.size, 0);
  });
});

it('a poll waits for the one before', async () => {
  const list = listOf(50);
  const { promise, resolve } = Promise.withResolvers<void>();
  list.hold(promise);
  const first = list.poll();
  await list.poll();
  assert.deepEqual(list.requests, ['rows']);
  resolve();
  await first;
  assert.deepEqual(list.requests, ['rows', 'created', 'others']);
});
