import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SearchedAlert, SearchedAlerts } from '../../../../../../src/testing/alerts/searched-alerts.ts';
import { filterBehind, orderFields, orderText } from './row-order.ts';

const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.123456Z', undefined];
const severities = [-1, 0, 5, 90, undefined];
const names = ['a', 'b "x" ]}', 'É', undefined];
const alerts = times.flatMap((created, time) =>
  severities.flatMap((severity, rank) =>
    names.flatMap((name, at) =>
      [0, 1].map(
        (copy): SearchedAlert => ({
          howler: { id: `${copy}-${time}${rank}${at}`, status: 'open' },
          event: { ...(created === undefined ? {} : { created }), ...(severity === undefined ? {} : { severity }) },
          ...(name === undefined ? {} : { user: { name } }),
        }),
      ),
    ),
  ),
);
const service = new SearchedAlerts(alerts);

describe('the order of rows', () => {
  it('is by the chosen field, then the newest, then the identifier', () => {
    const order = orderText({ field: 'event.severity', direction: 'asc' });
    assert.equal(order, 'event.severity asc,event.created desc,howler.id asc');
    assert.equal(orderText({ field: 'event.created', direction: 'asc' }), 'event.created asc,howler.id asc');
    assert.equal(orderText({ field: 'howler.id', direction: 'desc' }), 'howler.id desc,event.created desc');
    assert.deepEqual(orderFields({ field: 'user.name', direction: 'asc' }), [
      'user.name',
      'event.created',
      'howler.id',
    ]);
  });

  for (const field of ['event.created', 'event.severity', 'user.name', 'howler.id']) {
    for (const direction of ['asc', 'desc'] as const) {
      it(`of ${field} ${direction}: the filter behind a row leaves exactly the rows behind it`, () => {
        const sort = { field, direction };
        const ordered = service.search([], orderText(sort));
        for (const index of [0, 1, 7, 39, 40, 77, 100, ordered.length - 1]) {
          const filter = filterBehind(ordered[index], sort);
          assert.ok(filter !== undefined, `row ${index}`);
          assert.deepEqual(
            service.search([filter], orderText(sort)),
            ordered.slice(index + 1),
            `row ${index}: ${filter}`,
          );
        }
      });
    }
  }

  it('cannot be told behind a list, an empty value or a very long one', () => {
    const sort = { field: 'tags', direction: 'asc' } as const;
    const row = { howler: { id: 'a' }, event: { created: '2026-01-01' } };
    for (const tags of [['a'], [], '', 'x'.repeat(1_001), { a: 1 }]) {
      assert.equal(filterBehind({ ...row, tags }, sort), undefined, JSON.stringify(tags));
    }
    const comments = { ...row, howler: { id: 'a', comment: [{ user: 'ann' }] } };
    assert.equal(filterBehind(comments, { field: 'howler.comment.user', direction: 'asc' }), undefined);
    assert.equal(filterBehind({ howler: {} }, sort), undefined);
  });
});
