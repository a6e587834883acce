import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parametersOfView, type View } from './view-search.ts';

const view = { query: 'howler.status:open', sort: 'event.created asc', span: 'date.range.1.month' } as View;

it('opens a view with its query, order and span, in which the address comes first', () => {
  assert.deepEqual(parametersOfView(view, { view: 'x' }), {
    view: 'x',
    q: 'howler.status:open',
    sort: 'event.created asc',
    span: '1M',
  });
  assert.equal(parametersOfView(view, { q: 'a:b', span: undefined }).q, 'a:b');
  assert.equal(parametersOfView(view, { span: '7d' }).span, '7d');
});

it('opens a view without a span, or with one that it cannot read, over all times', () => {
  assert.equal(parametersOfView({ ...view, span: 'date.range.all' } as View, {}).span, undefined);
  assert.equal(parametersOfView({ query: 'x' } as View, {}).span, undefined);
});
