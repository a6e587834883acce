import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SearchedAlert, SearchedAlerts } from '../../../../../../src/testing/alerts/searched-alerts.ts';
import { type Counts, type Level, placeOf } from './deep-place.ts';
import { MAX_OFFSET_ROWS, PAGE_ROWS } from './known-places.ts';
import { orderText } from './row-order.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const BY_TIME: Level = { field: 'event.created', direction: 'desc', kind: 'date' };

function alertsOf(count: number, event: (index: number) => { time?: number; severity?: number }): SearchedAlert[] {
  return Array.from({ length: count }, (_, index) => {
    const { time, severity } = event(index);
    return {
      howler: { id: `h${String(index).padStart(6, '0')}`, status: 'open' },
      event: {
        ...(time === undefined ? {} : { created: new Date(time).toISOString() }),
        ...(severity === undefined ? {} : { severity }),
      },
    };
  });
}

function countsOf(service: SearchedAlerts): Counts {
  return {
    bounds: async (field, filters) => service.bounds(field, filters),
    steps: async (field, filters, range) => {
      assert.ok((range.end - range.start) / range.gap <= 100, 'the service allows 100 steps');
      return service.steps(field, filters, range);
    },
    values: async (field, filters) => service.values(field, filters),
  };
}

async function assertPlaces(alerts: readonly SearchedAlert[], levels: readonly Level[], indices: readonly number[]) {
  const service = new SearchedAlerts(alerts);
  const [{ field, direction } = BY_TIME] = levels;
  const order = orderText({ field, direction });
  const ordered = service.search([], order);
  for (const index of indices) {
    const place = await placeOf(index, alerts.length, levels, countsOf(service));
    assert.ok(place?.filter !== undefined && place.offset + PAGE_ROWS <= MAX_OFFSET_ROWS, `index ${index}`);
    const behind = service.search([place.filter], order);
    assert.equal(behind[place.offset], ordered[index], `index ${index}`);
    // The pages behind it are read by the same filter.
    assert.equal(behind.at(-1), ordered.at(-1), `index ${index}`);
  }
}

describe('the place of an index', () => {
  // Most of them in one hour, the others over a year, some without a date.
  const overTime = alertsOf(30_000, (index) => {
    if (index % 50 === 0) return {};
    return { time: index % 3 === 0 ? START + index * 500_000 : START + 9_000_000_000 + index * 60 };
  });
  for (const direction of ['asc', 'desc'] as const) {
    it(`in the order of time is found by counting in steps, ${direction}`, async () => {
      await assertPlaces(overTime, [{ ...BY_TIME, direction }], [0, 9_900, 12_345, 20_000, 29_399, 29_400, 29_999]);
    });

    it(`in the order of a number is found by its values, and by time among equal ones, ${direction}`, async () => {
      const rated = alertsOf(30_000, (index) => {
        const severity = index % 10 === 0 ? undefined : index % 2 === 0 ? 90 : index % 7;
        return { time: START + index * 1_000, ...(severity === undefined ? {} : { severity }) };
      });
      const bySeverity: Level = { field: 'event.severity', direction, kind: 'number' };
      await assertPlaces(rated, [bySeverity, BY_TIME], [0, 9_900, 12_000, 15_000, 22_222, 26_999, 27_000, 29_999]);
    });
  }

  it('is found among many of one second, down to the millisecond', async () => {
    await assertPlaces(
      alertsOf(25_000, (index) => ({ time: START + (index % 900) })),
      [BY_TIME],
      [10_000, 17_777, 24_999],
    );
  });

  it('does not exist behind the last one, in an order that cannot be counted, and among too many equal ones', async () => {
    const equal = alertsOf(25_000, () => ({ time: START, severity: 1 }));
    const counts = countsOf(new SearchedAlerts(equal));
    assert.equal(await placeOf(25_000, 25_000, [BY_TIME], counts), undefined);
    assert.equal(await placeOf(20_000, 25_000, [BY_TIME], counts), undefined);
    assert.equal((await placeOf(9_000, 25_000, [BY_TIME], counts))?.offset, 9_000);
    assert.equal(await placeOf(12_000, 25_000, [{ ...BY_TIME, kind: 'other' }], counts), undefined);
    const many = { ...counts, values: async () => undefined };
    const byName: Level = { field: 'user.name', direction: 'asc', kind: 'keyword' };
    assert.equal(await placeOf(12_000, 25_000, [byName, BY_TIME], many), undefined);
  });

  it('is found beside dates of any year', async () => {
    const far = alertsOf(12_000, (index) => ({ time: index === 0 ? 253_402_300_799_000 : START + index * 1_000 }));
    await assertPlaces(far, [BY_TIME], [0, 10_500, 11_999]);
    const farther = alertsOf(12_000, (index) => ({
      time: index === 0 ? 8_000_000_000_000_000 : START + index * 1_000,
    }));
    const place = await placeOf(11_000, 12_000, [BY_TIME], countsOf(new SearchedAlerts(farther)));
    assert.ok(place !== undefined);
  });
});
